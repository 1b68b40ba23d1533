import { Command, InvalidArgumentError, Option } from 'commander';

/** A command whose options are also read from the environment; a wrong call ends the program with 2 and a sentence. */
export function command(name: string, summary: string): Command {
  return new Command(name)
    .description(summary)
    .helpOption('--help', 'print this help')
    .helpCommand(false)
    .configureOutput({
      outputError: (text, write) => {
        write(text.replace(/^error: /, '').replace(/^./, (letter) => letter.toUpperCase()));
      },
    })
    .showHelpAfterError(`For its options, run: ${name} --help`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** An option that is also read from the environment: `--keep-days` from `FORECASTS_KEEP_DAYS`. An empty value is refused. */
export function option(flags: string, description: string): Option {
  const made = new Option(flags, description);
  if (!made.isBoolean()) made.argParser(notEmpty);
  return withVariable(made);
}

function notEmpty(text: string): string {
  // an empty name of a folder would be the one that is current
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

function withVariable(made: Option, mayBeEmpty = made.isBoolean()): Option {
  const variable = `FORECASTS_${made.name().toUpperCase().replaceAll('-', '_')}`;
  // a variable that says no is no flag
  const given = process.env[variable];
  const isNo = made.isBoolean() && given !== undefined && /^(0|false|no)$/i.test(given);
  return isNo || (mayBeEmpty && given?.trim() === '') ? made : made.env(variable);
}

/** An option that may be given several times; from the environment, its values are separated by commas, or none. */
export function listOption(flags: string, description: string): Option {
  const made = new Option(flags, `${description}; may be repeated, or separated by commas in the environment variable`)
    .default([] as string[], 'none')
    .argParser((text: string, before: string[]) => {
      const given = text.split(',').flatMap((one) => one.trim() || []);
      // no names would be any name
      notEmpty(given.join());
      return [...before, ...given];
    });
  return withVariable(made, true);
}

/** Reads a whole number of an option. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
