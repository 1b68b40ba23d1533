import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The checkout. */
export const root = path.resolve(import.meta.dirname, '..', '..');

/** What set-up installs: kept between runs, git-ignored. */
export const harnessDir = path.join(root, '.harness');

/** What a run leaves: bundles of the host tests, reports, screenshots, logs. Git-ignored. */
export const outDir = path.join(root, 'out');

export const vsixFile = path.join(root, 'time-series-forecasts.vsix');
export const samplesDir = path.join(root, 'media', 'samples');

/** The entry script of a package in node_modules, to be run with `process.execPath` (no shell, no `.cmd` on Windows). */
export const bin = {
  oxfmt: path.join(root, 'node_modules', 'oxfmt', 'bin', 'oxfmt'),
  oxlint: path.join(root, 'node_modules', 'oxlint', 'bin', 'oxlint'),
  tsc: path.join(root, 'node_modules', 'typescript-native', 'bin', 'tsc'),
  mocha: path.join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
  vsce: path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce'),
  playwright: path.join(root, 'node_modules', 'playwright-core', 'cli.js'),
};

/** A new empty folder of its own. Its name is short: VS Code's socket paths on macOS may have 103 characters in all. */
export function tempDir(name: string): string {
  return mkdtempSync(path.join(tmpdir(), `tsf-${name}-`));
}
