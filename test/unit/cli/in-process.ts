import { type Command, CommanderError } from 'commander';

/** What a command prints for such arguments before it does anything, without a program of its own. */
export async function printed(
  make: () => Command,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly out: string; readonly errors: string }> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  let [out, errors] = ['', ''];
  try {
    const writeOut = (text: string) => (out += text);
    const writeErr = (text: string) => (errors += text);
    const command = make();
    for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeOut, writeErr });
    await command.parseAsync(args, { from: 'user' });
    throw new Error('The command took them and ran.');
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { code: error.exitCode, out, errors };
  } finally {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
    }
  }
}

/** What a command prints that does its work, and the code that the program would end with. */
export async function ran(
  make: () => Command,
  args: readonly string[],
): Promise<{ readonly code: number; readonly out: readonly string[]; readonly errors: readonly string[] }> {
  const { log, error } = console;
  const before = process.exitCode;
  const [out, errors]: [string[], string[]] = [[], []];
  Object.assign(console, { log: (text: string) => out.push(text), error: (text: string) => errors.push(text) });
  process.exitCode = 0;
  try {
    await make().exitOverride().parseAsync(args, { from: 'user' });
    return { code: Number(process.exitCode), out, errors };
  } finally {
    Object.assign(console, { log, error });
    process.exitCode = before;
  }
}
