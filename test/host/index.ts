import { readdirSync } from 'node:fs';
import path from 'node:path';
import type Mocha from 'mocha';
import Reporter from '../harness/reporter.ts';

/** Runs inside the extension host: all test bundles beside this one. */
export async function run(): Promise<void> {
  const { default: MochaClass } = (await import('mocha')) as unknown as { default: typeof Mocha };
  const mocha = new MochaClass({
    ui: 'bdd',
    timeout: 120_000,
    reporter: Reporter as unknown as Mocha.ReporterConstructor,
    ...(process.env.TEST_GREP ? { grep: process.env.TEST_GREP } : {}),
  });
  for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs'))) {
    mocha.addFile(path.join(import.meta.dirname, file));
  }
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${String(failures)} failed`);
}
