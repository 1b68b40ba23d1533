import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { bin, harnessDir } from './paths.ts';
import { run, runOk } from './processes.ts';
import { Problem } from './say.ts';

/**
 * The VS Code servers with a workbench for the browser that can be had from the npm registry alone. `node` names the
 * Node to run it with where the project's own is not the one that server was made for.
 */
const servers: Record<string, { vscode: string; node?: string }> = {
  '4.139.1': { vscode: '1.139' },
  '4.103.2': { vscode: '1.103', node: '22.23.3' },
};
const newest = '4.139.1';

/** The server with the lowest VS Code that `engines.vscode` allows. */
export const oldestServer = '4.103.2';

/** A VS Code server on disk. */
export interface ServerFiles {
  /** Version of the npm package `code-server`. */
  version: string;
  /** VS Code's version in it, such as `1.139`. */
  vscode: string;
  /** The Node that runs it. */
  node: string;
  /** The server's entry script. */
  main: string;
}

/** Which server a run is for: `VSCODE_TEST_SERVER`, else the newest. */
export function wantedServer(): string {
  return process.env.VSCODE_TEST_SERVER || newest;
}

/** Installs the server unless it is there. Takes 10 to 20 seconds and 600 MB the first time. */
export async function ensureServer(version = wantedServer()): Promise<ServerFiles> {
  const known = servers[version];
  if (!known) {
    throw new Problem(`VSCODE_TEST_SERVER is ${version}; there are ${Object.keys(servers).join(' and ')}.`);
  }
  const dir = path.join(harnessDir, `server-${version}`);
  const vscode = path.join(dir, 'node_modules', 'code-server', 'lib', 'vscode');
  const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const files: ServerFiles = {
    version,
    vscode: known.vscode,
    node: known.node
      ? path.join(dir, 'node_modules', nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
      : process.execPath,
    main: path.join(vscode, 'out', 'server-main.js'),
  };
  const packages = [`code-server@${version}`, ...(known.node ? [`${nodePackage}@${known.node}`] : [])];
  const done = path.join(dir, 'done');
  if (existsSync(done) && readFileSync(done, 'utf8') === packages.join(' ')) return files;

  // Install scripts stay off: code-server's compiles native modules, and stops where a compiler or GitHub is missing.
  // The file watcher and the terminal come compiled; the log writer and the watchdog get stand-ins; nothing needs the rest.
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'package.json'), '{ "private": true }\n');
  await npm(dir, '--save-exact', '--no-package-lock', ...packages);
  await npm(vscode, '--omit=dev'); // its npm-shrinkwrap.json pins everything
  await npm(path.join(vscode, 'extensions'), '--omit=dev');
  for (const [name, code] of Object.entries(standIns)) {
    const module = path.join(vscode, 'node_modules', name);
    if (existsSync(module)) writeFileSync(path.join(module, 'index.js'), code);
  }
  await addRipgrep(vscode);
  const check = await run(files.node, [files.main, '--version', '--server-data-dir', path.join(dir, 'check')]);
  rmSync(path.join(dir, 'check'), { recursive: true, force: true });
  if (check.code !== 0) throw new Problem(`The VS Code server ${version} does not start here:\n${check.output}`);
  writeFileSync(done, packages.join(' '));
  return files;
}

/** Native modules of the server in JavaScript: enough for output channels to have a text and orphans to end. */
const watchdog = `
exports.start = (pid) => {
  setInterval(() => { try { process.kill(pid, 0); } catch { process.exit(87); } }, 5000).unref();
};
`;
const standIns: Record<string, string> = {
  '@vscode/native-watchdog': watchdog,
  'native-watchdog': watchdog,
  '@vscode/spdlog': `
const fs = require('node:fs'), path = require('node:path');
const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
class Logger {
  constructor(_type, _name, file) { this.file = file; this.level = 2; this.plain = false; }
  write(level, text) {
    if (level < this.level || !this.file) return;
    const head = this.plain ? '' : new Date().toISOString().replace('T', ' ').replace('Z', '') + ' [' + names[level] + '] ';
    fs.appendFileSync(this.file, head + text + (this.plain ? '' : '\\n'));
  }
  trace(text) { this.write(0, text); }
  debug(text) { this.write(1, text); }
  info(text) { this.write(2, text); }
  warn(text) { this.write(3, text); }
  error(text) { this.write(4, text); }
  critical(text) { this.write(5, text); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() { this.plain = false; }
  clearFormatters() { this.plain = true; }
  flush() {}
  drop() { this.file = undefined; }
}
// named one by one: an import as a module sees only such
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = async (name, file) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger('', name, file);
};
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
`,
};

/** npm, run by the npm that runs us where there is one (no shell and no `.cmd` on Windows). */
function npm(cwd: string, ...args: string[]): Promise<string> {
  const all = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...args];
  // npm hands its settings to its scripts in variables; those of the project are not for these folders
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config_local|package)/.test(name)),
  );
  const script = process.env.npm_execpath;
  return script?.endsWith('.js')
    ? runOk(process.execPath, [script, ...all], { cwd, env })
    : runOk('npm', all, { cwd, env });
}

/** Older servers fetch ripgrep (search, `workspace.findFiles`) from GitHub while they are installed; Debian has it too. */
async function addRipgrep(vscode: string): Promise<void> {
  const module = path.join(vscode, 'node_modules', '@vscode', 'ripgrep');
  if (!existsSync(module) || existsSync(path.join(module, 'bin', 'rg'))) return;
  if (!existsSync('/usr/bin/rg') && canApt()) await apt('ripgrep');
  if (!existsSync('/usr/bin/rg')) return;
  mkdirSync(path.join(module, 'bin'), { recursive: true });
  writeFileSync(path.join(module, 'bin', 'rg'), '#!/bin/sh\nexec /usr/bin/rg "$@"\n', { mode: 0o755 });
}

/** How playwright starts the browser. */
export interface Browser {
  executablePath?: string;
  channel?: string;
}

/** Finds Chromium, Chrome or Edge, and installs Chromium where there is none: from Debian as root, else playwright's. */
export async function ensureBrowser(): Promise<Browser> {
  const found = findBrowser();
  if (found) return found;
  if (canApt()) await apt('chromium', 'fonts-dejavu-core');
  else await run(process.execPath, [bin.playwright, 'install', 'chromium']);
  const installed = findBrowser();
  if (installed) return installed;
  throw new Problem('The UI tests need Chromium, Chrome or Edge. Install one, or name it in CHROMIUM_PATH.');
}

function findBrowser(): Browser | undefined {
  const own = process.env.CHROMIUM_PATH;
  if (own) {
    if (!existsSync(own)) throw new Problem(`CHROMIUM_PATH names ${own}, and there is no such file.`);
    return { executablePath: own };
  }
  const { env } = process;
  const programs = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((dir) => dir !== undefined);
  const places: Partial<Record<NodeJS.Platform, string[]>> = {
    linux: ['chromium', 'chromium-browser', 'google-chrome', 'microsoft-edge'].map((name) => `/usr/bin/${name}`),
    darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
    ),
    win32: programs.flatMap((dir) => [
      path.join(dir, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      path.join(dir, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ]),
  };
  const executablePath = [...(places[process.platform] ?? []), chromium.executablePath()].find((file) =>
    existsSync(file),
  );
  return executablePath ? { executablePath } : undefined;
}

const canApt = (): boolean =>
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

async function apt(...packages: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runOk('apt-get', ['update', '-qq'], { env });
  await runOk('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}
