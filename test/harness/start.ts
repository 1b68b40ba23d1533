/**
 * `npm start`: opens VS Code with the extension and a folder of sample series. Desktop VS Code where there is one or it
 * can be downloaded, else the workbench in a browser. `npm start -- --browser` asks for the latter, `-- --port 3000` for
 * an address that stays the same. The profile and the series are kept in `.harness/start/` until the next time.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { buildExtension, packageExtension } from './build.ts';
import { downloadAnswers, hasScreen } from './online.ts';
import { harnessDir, root, samplesDir, vsixFile } from './paths.ts';
import { atEnd, end, start } from './processes.ts';
import { Problem, reason, say, step } from './say.ts';
import { installExtension, startServer } from './server.ts';
import { ensureServer } from './setup.ts';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { browser: { type: 'boolean', default: false }, port: { type: 'string', default: '0' } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Problem(`${values.port} is not a port.`);
  const home = path.join(harnessDir, 'start');
  const series = path.join(home, 'series');
  mkdirSync(series, { recursive: true });
  if (existsSync(samplesDir)) cpSync(samplesDir, series, { recursive: true, force: false }); // what was changed stays
  await buildExtension();
  step('The extension is built.');
  const desktop = values.browser ? undefined : await findDesktop();
  if (desktop) return openDesktop(desktop, home, series);
  return openBrowser(home, series, port);
}

/** The program of a desktop VS Code: the one installed here, else a download. None without a screen, and for root. */
async function findDesktop(): Promise<string | undefined> {
  if (!hasScreen() || process.getuid?.() === 0) return undefined;
  const shell = process.platform === 'win32';
  if (spawnSync('code', ['--version'], { stdio: 'ignore', shell }).status === 0) return 'code';
  if (!(await downloadAnswers())) return undefined;
  return downloadAndUnzipVSCode('stable');
}

async function openDesktop(program: string, home: string, series: string): Promise<number> {
  const args = [
    ...['--new-window', '--skip-welcome', '--skip-release-notes', '--disable-workspace-trust'],
    `--user-data-dir=${path.join(home, 'desktop')}`,
    `--extensions-dir=${path.join(home, 'desktop-extensions')}`,
    `--extensionDevelopmentPath=${root}`,
    series,
  ];
  step('Opening VS Code.');
  const quoted = (arg: string): string => (process.platform === 'win32' ? `"${arg}"` : arg);
  const child = start(quoted(program), args.map(quoted), { show: true, shell: process.platform === 'win32' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      resolve(code ?? 0);
    });
  });
}

async function openBrowser(home: string, series: string, port: number): Promise<number> {
  const files = await ensureServer();
  await packageExtension();
  const userDataDir = path.join(home, 'data');
  const extensionsDir = path.join(home, 'extensions');
  await installExtension(files, vsixFile, extensionsDir, userDataDir);
  const tokenFile = path.join(home, 'token');
  if (!existsSync(tokenFile)) writeFileSync(tokenFile, randomBytes(16).toString('hex'), { mode: 0o600 });
  const token = readFileSync(tokenFile, 'utf8');
  // a browser keeps layout and secrets by address, so the last one is taken again if it is free
  const portFile = path.join(home, 'port');
  const last = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0;
  const options = { files, userDataDir, extensionsDir, token, isWhole: true, autoStop: false };
  const server = await startServer({ ...options, port: port || last }).catch((error: unknown) => {
    if (port || !last || !(error instanceof Problem)) throw error;
    return startServer({ ...options, port: 0 });
  });
  writeFileSync(portFile, String(server.port));
  atEnd(() => server.stop());
  step('Ready. Open this address in a browser on this machine; Ctrl+C ends it.');
  say(server.url(series));
  return new Promise(() => undefined); // until it is interrupted
}

main().then(end, (error: unknown) => {
  say(reason(error));
  return end(1);
});
