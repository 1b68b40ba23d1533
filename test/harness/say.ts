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

export function reason(error: unknown): string {
  if (error instanceof Problem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
