import { existsSync, readFileSync } from 'node:fs';
import { printable } from '../contract/texts.ts';

export function scriptOf(bundled: string, source: string): URL {
  const beside = new URL(bundled, import.meta.url);
  return existsSync(beside) ? beside : new URL(source, import.meta.url);
}

export const report = (error: unknown): void => {
  process.stderr.write(`${printable(error instanceof Error ? error.message : String(error))}\n`);
};

export function versionOf(): string {
  const files = ['package.json', '../package.json', '../../package.json'].map((file) => new URL(file, import.meta.url));
  const { version } = JSON.parse(readFileSync(files.find(existsSync)!, 'utf8')) as { version: string };
  return version;
}

export const computeScript = (): URL => scriptOf('engine.mjs', '../service/tasks/pool-thread.ts');

/** A stopped program must exit within this many milliseconds, or its supervisor kills it. */
const MOST = 9_000;

/** Ends the program once and in time, on a signal or when the npm that started it exits. @returns ends it */
export function endBySignal(close: () => Promise<void>, report: (error: unknown) => void): () => void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => {
      report(new Error('The program was stopped before it had released everything.'));
      process.exit(1);
    }, MOST).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        report(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // npm does not pass signals on through the shell
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => {
      if (process.ppid !== parent) end();
    }, 500).unref();
  return end;
}
