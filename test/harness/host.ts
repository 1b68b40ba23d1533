/**
 * The host tests in a real extension host, by `runTests()` of `@vscode/test-electron`. Which VS Code:
 * - `VSCODE_TEST_EXECUTABLE` names one on this machine;
 * - `VSCODE_TEST_VERSION` (such as `stable` or `1.103.0`) is downloaded;
 * - without either `stable` is, if the download answers and there is a screen;
 * - else, and with `VSCODE_TEST_SERVER`, the VS Code server of the npm registry stands in, with a headless browser.
 * `--oldest` asks for the lowest version that the extension supports, from either place.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { downloadAnswers, hasScreen } from './online.ts';
import { harnessDir, outDir, root, samplesDir, tempDir } from './paths.ts';
import { atEnd, end } from './processes.ts';
import { reason, say } from './say.ts';
import { ensureServer, oldestServer } from './setup.ts';

/** A program that runs `code.ts`, where one file is to be started. */
function standIn(): string {
  const file = path.join(harnessDir, process.platform === 'win32' ? 'code.cmd' : 'code.sh');
  const script = path.join(import.meta.dirname, 'code.ts');
  mkdirSync(harnessDir, { recursive: true });
  const text =
    process.platform === 'win32'
      ? `@"${process.execPath}" "${script}" %*\r\n`
      : `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`;
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

async function executable(): Promise<string> {
  const oldest = process.argv.includes('--oldest');
  const { VSCODE_TEST_EXECUTABLE: named, VSCODE_TEST_VERSION: version, VSCODE_TEST_SERVER: server } = process.env;
  if (named) return named;
  if (version || (!server && hasScreen() && (await downloadAnswers()))) {
    return downloadAndUnzipVSCode({ version: version ?? (oldest ? oldestVersion() : 'stable') });
  }
  if (oldest) process.env.VSCODE_TEST_SERVER = oldestServer; // for the stand-in too
  const files = await ensureServer();
  say(`VS Code ${files.vscode} from the npm registry (code-server ${files.version}), in a browser`);
  return standIn();
}

/** The version in `engines.vscode` of package.json. */
function oldestVersion(): string {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    engines: { vscode: string };
  };
  return engines.vscode.replace(/^\D+/, '');
}

async function main(): Promise<number> {
  const temp = tempDir('host');
  atEnd(() => {
    rmSync(temp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  const workspace = path.join(temp, 'samples');
  mkdirSync(workspace);
  if (existsSync(samplesDir)) cpSync(samplesDir, workspace, { recursive: true });
  try {
    return await runTests({
      vscodeExecutablePath: await executable(),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(outDir, 'host', 'index.mjs'),
      extensionTestsEnv: process.argv.includes('--oldest') ? { TEST_OLDEST: '1' } : {},
      launchArgs: [
        workspace,
        '--disable-extensions',
        `--user-data-dir=${path.join(temp, 'data')}`,
        `--extensions-dir=${path.join(temp, 'extensions')}`,
      ],
    });
  } catch (error) {
    say(reason(error));
    return 1;
  }
}

main().then(end, (error: unknown) => {
  say(reason(error));
  return end(1);
});
