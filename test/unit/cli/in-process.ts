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
    const command = make().exitOverride().configureOutput({ writeOut, writeErr });
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
