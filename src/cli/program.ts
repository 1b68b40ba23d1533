import { existsSync, readFileSync } from 'node:fs';
import { printable } from '../contract/texts.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { AddressError, parseBaseUrl } from '../client/address.ts';

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

interface Spec<T> {
  readonly value: string;
  readonly about: string;
  /** @throws InvalidArgumentError */
  readonly parse?: (text: string, before: never) => T;
  readonly choices?: readonly string[];
  readonly byDefault?: readonly [value: T, inHelp?: string];
  readonly unset?: RegExp;
}
type Specs = Readonly<Record<string, Spec<unknown>>>;
export type Read<S extends Specs> = { readonly [K in keyof S]: S[K] extends Spec<infer T> ? T : never };

export function group(name: string, summary: string, commands: readonly Command[] = []): Command {
  const made = new Command(name)
    .description(summary)
    .helpOption('--help', 'print this help')
    .helpCommand(false)
    .configureOutput({
      outputError: (text, write) => {
        // an address that is refused may have a password, and errors of programs are logged
        const plain = text.replace(/^error: /, '').replace(/^([^/]*\/\/).*@/s, '$1');
        write(plain.replace(/^./, (letter) => letter.toUpperCase()));
      },
    })
    .showHelpAfterError(`For its options, run: ${name} --help`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  for (const command of commands) made.addCommand(command);
  return made;
}

/** A command whose option `keepDays` is `--keep-days` or `FORECASTS_KEEP_DAYS`. @param act finds arguments in `self.args` */
export function command<S extends Specs>(
  name: string,
  summary: string,
  specs: S,
  act: (options: Read<S>, self: Command) => Promise<void>,
): Command {
  const made = group(name, summary);
  for (const [key, { value, about, parse, choices, byDefault, unset }] of Object.entries(specs)) {
    const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = new Option(`--${flag} ${value}`.trim(), about);
    if (parse) option.argParser(parse as (text: string) => unknown);
    if (choices) option.choices(choices);
    if (byDefault) option.default(...byDefault);
    const variable = `FORECASTS_${flag.toUpperCase().replaceAll('-', '_')}`;
    if (!unset?.test(process.env[variable] ?? 'absent')) option.env(variable);
    made.addOption(option);
  }
  return made.action((...given: unknown[]) => act(...(given.slice(-2) as [Read<S>, Command])));
}

export function notEmpty(text: string): string {
  // an empty name of a folder would be the one that is current
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  if (text.startsWith('--')) throw new InvalidArgumentError('It must not be the next option.');
  return text;
}

export function baseUrl(text: string): URL {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    throw error instanceof AddressError ? new InvalidArgumentError(error.message) : error;
  }
}

export const text = <D extends string | undefined = undefined>(
  value: string,
  about: string,
  byDefault?: D,
): Spec<string | D> => ({ value, about, parse: notEmpty, byDefault: [byDefault as D] });

export const flag = (about: string): Spec<true | undefined> => ({ value: '', about, unset: /^(?:\s*|0|false|no)$/i });

export const list = (value: string, about: string): Spec<readonly string[]> => ({
  value,
  about: `${about}; may be repeated, or separated by commas in the environment variable`,
  parse: (text, before: readonly string[]) => {
    const given = text.split(',').flatMap((one) => one.trim() || []);
    notEmpty(given.join());
    return [...before, ...given];
  },
  byDefault: [[], 'none'],
  unset: /^\s*$/,
});

export function oneOf<T extends string>(value: string, about: string, choices: readonly T[], byDefault: T): Spec<T> {
  return { value, about, choices, byDefault: [byDefault] };
}

export const whole = <D extends number | undefined = undefined>(
  about: string,
  [least, most]: readonly [number, number],
  byDefault?: D,
  inHelp?: string,
): Spec<number | D> => ({
  value: '<n>',
  about,
  parse: (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  },
  byDefault: inHelp === undefined ? [byDefault as D] : [byDefault as D, inHelp],
});
