import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.ts';
import { PROGRAM_FLAGS } from './program.ts';

const script = [path.join(root, 'src', 'cli', 'forecasts.ts'), 'worker'];

const ours = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of ours) child.kill('SIGKILL');
});

/** `npm run worker` as a program of its own. */
export class WorkerProgram {
  readonly child: ChildProcess;
  /** What it said on standard error. */
  said = '';

  private constructor(child: ChildProcess) {
    this.child = child;
    ours.add(child);
    child.on('exit', () => ours.delete(child));
    child.stderr?.on('data', (chunk: Buffer) => (this.said += String(chunk)));
  }

  /** @param program what Node runs, if not the sources. @throws where it does not begin to work */
  static async start(database: string, threads = 1, program: readonly string[] = script): Promise<WorkerProgram> {
    const args = [...PROGRAM_FLAGS, ...program, '--database', database, '--threads', String(threads)];
    const worker = new WorkerProgram(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] }));
    for (let waited = 0; !worker.said.includes('"working"'); waited += 50) {
      if (worker.child.exitCode !== null || waited > 180_000) throw new Error(`No worker: ${worker.said}`);
      await sleep(50);
    }
    return worker;
  }

  /** @returns milliseconds until it had ended */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number> {
    const from = performance.now();
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill(signal);
      await exit;
    }
    return performance.now() - from;
  }
}
