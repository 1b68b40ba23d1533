import { Command, InvalidArgumentError, Option } from 'commander';

/** A command whose options are also read from the environment; a wrong call ends the program with 2 and a sentence. */
export function command(name: string, summary: string): Command {
  return new Command(name)
    .description(summary)
    .helpOption('--help', 'print this')
    .helpCommand(false)
    .configureOutput({
      outputError: (text, write) => {
        write(text.replace(/^error: /, '').replace(/^./, (letter) => letter.toUpperCase()));
      },
    })
    .showHelpAfterError(`Its options: ${name} --help`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** An option that is also read from the environment: `--keep-days` from `FORECASTS_KEEP_DAYS`. */
export function option(flags: string, description: string): Option {
  const made = new Option(flags, description);
  const variable = `FORECASTS_${made.name().toUpperCase().replaceAll('-', '_')}`;
  // a variable that says no is no flag
  const given = process.env[variable];
  const isNo = made.isBoolean() && given !== undefined && /^(|0|false|no)$/i.test(given);
  return isNo ? made : made.env(variable);
}

/** An option that may be given several times; from the environment, its values are separated by commas. */
export function listOption(flags: string, description: string): Option {
  return option(flags, `${description}; may be given several times, from the environment separated by commas`)
    .default([] as string[], 'none')
    .argParser((text: string, before: string[]) => [...before, ...text.split(',').flatMap((one) => one.trim() || [])]);
}

/** Reads a whole number of an option. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`This is a whole number from ${least} to ${most}.`);
  };
