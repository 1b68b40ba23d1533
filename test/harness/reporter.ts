import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What one mocha run leaves in the file that `TEST_REPORT` names, once it has come to its end. */
export interface Report {
  passed: number;
  failed: number;
  skipped: number;
  milliseconds: number;
  /** Each failed test's title, with its error below. */
  failures: string[];
}

/** The part of mocha's runner that is used here. */
interface Runner {
  total: number;
  stats?: { passes: number; failures: number; pending: number; duration?: number };
  on(event: 'suite', listener: (suite: { title: string; root: boolean }) => void): this;
  on(event: 'suite end' | 'end', listener: () => void): this;
  on(event: 'pass' | 'pending', listener: (test: { title: string; duration?: number }) => void): this;
  on(event: 'fail', listener: (test: { fullTitle(): string; title: string }, error: Error) => void): this;
}

/**
 * Mocha's reporter of all kinds of tests: a list to read on standard output (or in the file of `TEST_OUTPUT`, where
 * there is no standard output), and the figures for the sum-up.
 */
export default class Reporter {
  private depth = 0;
  private readonly failures: string[] = [];
  private readonly output = process.env.TEST_OUTPUT;

  constructor(runner: Runner) {
    runner.on('suite', (suite) => {
      if (suite.root) return;
      this.say(`${'  '.repeat(this.depth)}${suite.title}`);
      this.depth++;
    });
    runner.on('suite end', () => {
      this.depth = Math.max(0, this.depth - 1);
    });
    runner.on('pass', (test) => {
      const slow = test.duration !== undefined && test.duration >= 100 ? ` (${String(test.duration)} ms)` : '';
      this.say(`${'  '.repeat(this.depth)}✓ ${test.title}${slow}`);
    });
    runner.on('pending', (test) => {
      this.say(`${'  '.repeat(this.depth)}- ${test.title} (skipped)`);
    });
    runner.on('fail', (test, error) => {
      const text = stripVTControlCharacters(error.stack ?? String(error));
      this.failures.push(`${test.fullTitle()}\n${text}`);
      this.say(`${'  '.repeat(this.depth)}✗ ${test.title}`);
      this.say(text.replaceAll(/^/gm, '  '.repeat(this.depth + 1)));
    });
    runner.on('end', () => {
      const file = process.env.TEST_REPORT;
      if (!file) return;
      const report: Report = {
        passed: runner.stats?.passes ?? 0,
        failed: runner.stats?.failures ?? 0,
        skipped: runner.stats?.pending ?? 0,
        milliseconds: runner.stats?.duration ?? 0,
        failures: this.failures,
      };
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(report, null, 2));
    });
  }

  private say(line: string): void {
    if (this.output) appendFileSync(this.output, `${line}\n`);
    else process.stdout.write(`${line}\n`);
  }
}

/** A line that a test wants to be read at the end of `npm test`, such as a time that it measured. */
export function note(line: string): void {
  const file = process.env.TEST_NOTES;
  if (file) appendFileSync(file, `${line}\n`);
}
