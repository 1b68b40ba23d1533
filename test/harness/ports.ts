import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port that stays free while nobody listens on it, as over a restart: none of those that a system gives to
 * programs that ask for any (from 32768 on Linux, 49152 elsewhere), so that no other test has it by chance meanwhile.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    // 10080 is refused by fetch
    const port = randomInt(10_100, 30_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => {
        resolve(false);
      });
      server.listen(port, '127.0.0.1', () => {
        resolve(true);
      });
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
