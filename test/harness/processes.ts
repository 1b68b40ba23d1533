import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Show the output while it comes instead of collecting it. */
  show?: boolean;
  /** Through the shell, which Windows needs for a `.cmd`; the arguments must be quoted then. */
  shell?: boolean;
}

export interface RunResult {
  /** The exit code; 1 where a signal ended the process. */
  code: number;
  /** Standard output and standard error, empty with `show`. */
  output: string;
}

const own = new Set<ChildProcess>();

/** Runs a program to its end. Never rejects because of its exit code; rejects if it cannot be started. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = start(command, args, options);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += String(chunk)));
    child.stderr?.on('data', (chunk: Buffer) => (output += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Like `run`, and an exit code other than 0 is an error with the output in it. */
export async function runOk(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${String(code)}\n${output}`);
  return output;
}

/** Starts a program which `stop` and the end of this process end too, with everything that it started itself. */
export function start(command: string, args: string[], options: RunOptions = {}): ChildProcess {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', options.show ? 'inherit' : 'pipe', options.show ? 'inherit' : 'pipe'],
    detached: process.platform !== 'win32', // a process group of its own, so that all of it can be ended
    windowsHide: true,
    shell: options.shell ?? false,
  });
  own.add(child);
  child.on('exit', () => own.delete(child));
  return child;
}

/** Ends a program of `start` with all its children: asks, and after five seconds insists. */
export async function stop(child: ChildProcess): Promise<void> {
  signal(child, 'SIGTERM');
  for (let waited = 0; waited < 5000 && signal(child, 0); waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  signal(child, 'SIGKILL');
}

/** Signals the whole tree, also what a program that has gone left in its group. Says whether there was anyone. */
function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  if (child.pid === undefined) return false;
  if (process.platform === 'win32') {
    const running = child.exitCode === null && child.signalCode === null;
    if (running && name !== 0) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return running;
  }
  try {
    process.kill(-child.pid, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false; // gone already, which is what we want
    throw error;
  }
}

const cleanups: (() => void | Promise<void>)[] = [];
let ending = false;

/** Something to undo when this process is interrupted or ends. Runs once, the newest first. */
export function atEnd(cleanup: () => void | Promise<void>): void {
  cleanups.push(cleanup);
}

/** Undoes everything and ends this process. */
export async function end(code: number): Promise<never> {
  if (!ending) {
    ending = true;
    for (const cleanup of cleanups.reverse()) {
      try {
        await cleanup();
      } catch (error) {
        process.stderr.write(`${String(error)}\n`);
      }
    }
    for (const child of own) await stop(child);
  }
  process.exit(code);
}

for (const [name, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(name, () => void end(code));
}
process.on('exit', () => {
  for (const child of own) signal(child, 'SIGKILL');
});
