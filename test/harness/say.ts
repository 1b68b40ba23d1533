const started = Date.now();

/** One line for the person at the terminal. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** One line with the seconds since the start in front. */
export function step(line: string): void {
  say(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);
}

/** Something that goes wrong, said in a sentence for people; what is not one of these is a fault of ours. */
export class Problem extends Error {}

/** Whether it is `parseArgs` that does not know an argument. */
export const isWrongUse = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');

export function reason(error: unknown): string {
  if (error instanceof Problem || isWrongUse(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
