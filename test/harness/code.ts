/**
 * Stands in for the `code` program that `runTests()` of `@vscode/test-electron` starts: takes the desktop's arguments,
 * runs the tests in the extension host of a VS Code server with the workbench in a headless browser, ends with their
 * exit code. A run that ends without a report of the tests counts as failed, by what reads the report.
 */
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, format } from 'node:util';
import { fileURLToPath } from 'node:url';
import { openPage } from './page.ts';
import { outDir, tempDir } from './paths.ts';
import { atEnd, end } from './processes.ts';
import { reason } from './say.ts';
import { startServer } from './server.ts';
import { ensureBrowser, ensureServer } from './setup.ts';

const limit = Number(process.env.TEST_LIMIT_SECONDS ?? 900);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    strict: false, // the desktop knows many more
    options: {
      extensionDevelopmentPath: { type: 'string', multiple: true },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
      'folder-uri': { type: 'string' },
    },
  });
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const temp = tempDir('code');
  atEnd(() => {
    rmSync(temp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  const logs = path.join(outDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const log = createWriteStream(path.join(logs, 'host.log'));
  const write = (line: string): void => {
    log.write(line);
  };

  const folderUri = text(values['folder-uri']);
  const testsPath = text(values.extensionTestsPath);
  if (!testsPath) throw new Error('--extensionTestsPath is missing');
  const server = await startServer({
    files: await ensureServer(),
    userDataDir: text(values['user-data-dir']) ?? path.join(temp, 'data'),
    extensionsDir: text(values['extensions-dir']) ?? path.join(temp, 'extensions'),
    developmentPaths: (values.extensionDevelopmentPath ?? []).filter((value) => typeof value === 'string'),
    testsPath,
    log: write,
  });
  atEnd(() => server.stop());

  let finish: (code: number) => void = () => undefined;
  const finished = new Promise<number>((resolve) => (finish = resolve));
  const window = await openPage({
    browser: await ensureBrowser(),
    url: server.url(folderUri ? fileURLToPath(folderUri) : positionals[0]),
    log: write,
    prepare: async (page) => {
      await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
        write(`[${type}] ${format(...args)}\n`);
      });
      await page.exposeFunction('codeAutomationExit', (code: number) => {
        finish(code);
      });
      page.on('crash', () => {
        finish(1);
      });
    },
  });
  atEnd(window.close);
  const timeout = new Promise<'late'>((resolve) => setTimeout(resolve, limit * 1000, 'late').unref());
  const code = await Promise.race([finished, timeout]);
  if (code === 0) return 0;
  const picture = path.join(outDir, 'screenshots', 'failed-host.png');
  mkdirSync(path.dirname(picture), { recursive: true });
  writeFileSync(picture, await window.page.screenshot());
  if (code === 'late') process.stderr.write(`The tests did not end within ${String(limit)} s\n`);
  return code === 'late' ? 1 : code;
}

main().then(end, (error: unknown) => {
  process.stderr.write(`${reason(error)}\n`);
  return end(1);
});
