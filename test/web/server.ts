import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import path from 'node:path';
import { build } from 'esbuild';
import { unzipSync } from 'fflate';
import { root } from '../harness/paths.ts';
import { quietPort } from '../harness/ports.ts';
import { type Settings, quiet } from '../harness/server.ts';
import type { ServerFiles } from '../harness/setup.ts';
import { FolderServer } from './folder-server.ts';

export interface WebServer {
  readonly url: string;
  /** The folder that is open. */
  readonly folder: FolderServer;
  close(): void;
}

interface Options {
  readonly files: ServerFiles;
  /** The packaged extension, which is served as it is in there. */
  readonly vsix: string;
  readonly settings: Settings;
}

/** The workbench's program. */
const WORKBENCH = 'out/vs/code/browser/workbench/workbench.js';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  json: 'application/json',
  mjs: 'text/javascript',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  wasm: 'application/wasm',
  woff: 'font/woff',
};
const typeOf = (file: string) => TYPES[path.extname(file).slice(1)] ?? 'application/octet-stream';

/**
 * A VS Code that has no machine behind it, as vscode.dev: static files, and extensions that run in a web worker only.
 * As there, the extension host and webviews have origins of their own (`….localhost`) below the workbench's.
 */
export async function startWebServer({ files, vsix, settings }: Options): Promise<WebServer> {
  const port = await quietPort();
  const origin = `http://localhost:${String(port)}`;
  const folder = new FolderServer();
  const vscode = path.resolve(path.dirname(files.main), '..');
  const own: Readonly<Record<string, Uint8Array | string>> = {
    ...under('extension', packaged(vsix)),
    ...under('folder-extension', await folderExtension()),
    [`static/${WORKBENCH}`]: withoutRemote(path.join(vscode, WORKBENCH)),
  };
  const page = workbenchPage(vscode, origin, { ...quiet, ...settings });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    const target = decodeURIComponent(pathname.slice(1));
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-methods', 'GET, PUT, DELETE');
    if (request.method === 'OPTIONS') response.end();
    else if (target.startsWith('folder/')) await folder.answer(target.slice('folder/'.length), request, response);
    // half of the key that SecretStorage encrypts with
    else if (target === 'mint-key') response.end(Buffer.alloc(32, 7));
    else {
      const found = target === '' ? page : (own[target] ?? staticFile(vscode, target));
      response.setHeader('content-type', typeOf(target === '' ? 'page.html' : target));
      if (target.startsWith('static/')) response.setHeader('cache-control', 'max-age=3600');
      response.writeHead(found ? 200 : 404).end(found);
    }
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `${origin}/`,
    folder,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const under = <T>(folder: string, files: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

/** What is in a package, by its paths. */
function packaged(vsix: string): Record<string, Uint8Array> {
  const prefix = 'extension/';
  const entries = Object.entries(unzipSync(readFileSync(vsix)));
  return Object.fromEntries(
    entries.flatMap(([name, content]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), content]] : [])),
  );
}

async function folderExtension(): Promise<Record<string, Uint8Array>> {
  const dir = path.join(root, 'test', 'web', 'folder');
  const { outputFiles } = await build({
    entryPoints: [path.join(dir, 'extension.ts')],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'browser',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return { 'package.json': readFileSync(path.join(dir, 'package.json')), 'extension.js': outputFiles[0].contents };
}

/** A file of VS Code below `static/`. */
function staticFile(vscode: string, target: string): Uint8Array | undefined {
  const inside = path.normalize(target);
  const file = path.join(vscode, path.relative('static', inside));
  if (!inside.startsWith(`static${path.sep}`) || !existsSync(file)) return undefined;
  return readFileSync(file);
}

/** What code-server changed in the workbench: it always connects to a server, on which it keeps the user's data. */
const CHANGED: readonly (readonly [RegExp, string])[] = [
  [/,remoteAuthority:location\.host/, ''],
  [/(\.file\(this\.userDataPath\)\.with\(\{scheme:[\w$]+\.)vscodeRemote/, '$1vscodeUserData'],
];

/** The workbench's program as VS Code has it, with the user's data in the browser. */
function withoutRemote(file: string): string {
  return CHANGED.reduce(
    (text, [ours, theirs]) => {
      if (!ours.test(text)) throw new Error(`${file} has no ${String(ours)}: look for how it connects to a server`);
      return text.replace(ours, theirs);
    },
    readFileSync(file, 'utf8'),
  );
}

/** VS Code's own page, with a configuration that has no server. */
function workbenchPage(vscode: string, origin: string, settings: Settings): string {
  const { port, hostname } = new URL(origin);
  const location = { scheme: 'http', authority: `${hostname}:${port}` };
  const inner = `http://{{uuid}}.localhost:${port}/static`;
  const configuration = {
    folderUri: { scheme: 'folder', path: '/samples' },
    additionalBuiltinExtensions: ['extension', 'folder-extension'].map((name) => ({ ...location, path: `/${name}` })),
    configurationDefaults: settings,
    // what code-server's workbench does not start without
    userDataPath: '/',
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
    productConfiguration: {
      // without these the workbench does not give the extension host an origin of its own
      commit: 'tests',
      quality: 'insider',
      webEndpointUrlTemplate: inner,
      webviewContentExternalBaseUrlTemplate: `${inner}/out/vs/workbench/contrib/webview/browser/pre/`,
      extensionsGallery: null,
      updateEndpoint: null,
      serviceWorker: null,
    },
  };
  const values: Readonly<Record<string, string>> = {
    WORKBENCH_WEB_CONFIGURATION: JSON.stringify(configuration).replaceAll('"', '&quot;'),
    WORKBENCH_WEB_BASE_URL: '/static',
    WORKBENCH_NLS_FALLBACK_URL: '/static/out/nls.messages.js',
  };
  const file = path.join(vscode, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.html');
  return readFileSync(file, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');
}
