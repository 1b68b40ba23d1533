import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PROGRAM_FLAGS } from '../harness/program.ts';

const served = [fileURLToPath(new URL('../../src/cli/forecasts.ts', import.meta.url)), 'serve'];

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

export interface Listed {
  readonly id: string;
  readonly status: string;
  readonly error?: { readonly code: string; readonly detail: string } | null;
  readonly name?: string | null;
}

/** 36 months with a season. */
export const monthly = Array.from({ length: 36 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2021, month, 1)).toISOString(),
  value: 100 + month + 20 * Math.sin((month * Math.PI) / 6),
}));

const ours = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of ours) child.kill('SIGKILL');
});

/** `npm run serve` as a program of its own, to be killed, stopped and starved. */
export class Served {
  readonly child: ChildProcess;
  url = '';
  token = '';
  /** What it said on standard error. */
  said = '';

  private constructor(child: ChildProcess) {
    this.child = child;
    ours.add(child);
    child.on('exit', () => ours.delete(child));
    child.stderr?.on('data', (chunk: Buffer) => (this.said += String(chunk)));
  }

  /**
   * @param blocks the largest file that it may write, in blocks of 512 bytes
   * @param program what Node runs, if not the sources
   * @throws where it does not serve
   */
  static async start(
    folder: string,
    { args = [], blocks, program = served }: { args?: string[]; blocks?: number; program?: readonly string[] } = {},
  ): Promise<Served> {
    const command = [
      process.execPath,
      ...PROGRAM_FLAGS,
      ...program,
      '--port',
      '0',
      '--data',
      folder,
      '--json',
      '--log-level',
      'error',
      ...args,
    ];
    const child =
      blocks === undefined
        ? spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
        : spawn('sh', ['-c', `ulimit -S -f ${blocks}; exec "$@"`, 'sh', ...command], {
            stdio: ['ignore', 'pipe', 'pipe'],
          });
    const served = new Served(child);
    let line = '';
    child.stdout?.on('data', (chunk: Buffer) => (line += String(chunk)));
    for (let waited = 0; !line.includes('\n'); waited += 50) {
      if (child.exitCode !== null || child.signalCode !== null || waited > 180_000) {
        child.kill('SIGKILL');
        throw new NotServed(served.said || 'It did not say that it serves.');
      }
      await sleep(50);
    }
    ({ url: served.url, token: served.token } = JSON.parse(line) as { url: string; token: string });
    return served;
  }

  async call<T>(method: string, where: string, body?: unknown, signal?: AbortSignal): Promise<Answer<T>> {
    const limit = AbortSignal.timeout(60_000);
    const response = await fetch(this.url + where, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as T };
  }

  /** All items of a list, without their series. */
  async all(what: string): Promise<Listed[]> {
    const items: Listed[] = [];
    let next: string | null = '';
    while (next !== null) {
      const query: string = ['size=200&include_series=false', ...(next ? [`cursor=${next}`] : [])].join('&');
      const { status, body } = await this.call<{ items: Listed[]; next_page: string | null }>(
        'GET',
        `${what}?${query}`,
      );
      if (status !== 200) throw new Error(`${what} answers ${status}`);
      items.push(...body.items);
      next = body.next_page;
    }
    return items;
  }

  /** Waits until nothing is pending. @returns what was pending last, where that takes too long: it is stuck */
  async settled(most = 300_000): Promise<string[]> {
    for (const from = Date.now(); ;) {
      const items = [...(await this.all('/predictions')), ...(await this.all('/fine_tuned_models'))];
      const pending = items.filter(({ status }) => status === 'QUEUED' || status === 'IN_PROGRESS');
      if (pending.length === 0) return [];
      if (Date.now() - from > most) return pending.map(({ id, status }) => `${id} ${status}`);
      await sleep(250);
    }
  }

  /** Processor time so far, in milliseconds; `undefined` where the system does not say. */
  processorTime(): number | undefined {
    const file = `/proc/${this.child.pid}/stat`;
    if (!existsSync(file)) return undefined;
    const fields = readFileSync(file, 'latin1').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** Memory in use, in MB; `undefined` where the system does not say. */
  memory(): number | undefined {
    const file = `/proc/${this.child.pid}/status`;
    if (!existsSync(file)) return undefined;
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'latin1'))?.[1]) / 1024;
  }

  /** Whether it told of a defect: a stack of calls. */
  get toldDefect(): boolean {
    return this.said.split('\n').some((line) => /(^|\\n)\s+at .*:\d+:\d+/.test(line) && !/ERR_SQLITE_ERROR/.test(line));
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}

/** The service ended with a sentence instead of serving. */
export class NotServed extends Error {}

export const temporary = (): string => mkdtempSync(path.join(tmpdir(), 'forecasts-faults-'));
export const remove = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};
