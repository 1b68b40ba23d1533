import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { quietPort } from './ports.ts';
import { run, start, stop } from './processes.ts';
import { Problem } from './say.ts';
import type { ServerFiles } from './setup.ts';

export type Settings = Record<string, unknown>;

/** A quiet VS Code: nothing that opens by itself, nothing that asks the network. */
export const quiet: Settings = {
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'window.autoDetectColorScheme': false, // `workbench.colorTheme` decides, not the browser
  'workbench.tips.enabled': false,
  'workbench.editor.useModal': 'off', // settings and the like open in a tab, as in every version
  'security.workspace.trust.startupPrompt': 'never',
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'files.exclude': { '**/.vscode': true }, // where the workbench puts settings; not of the samples
};

export interface ServerOptions {
  files: ServerFiles;
  /** Settings, global storage, logs. May be kept between runs. */
  userDataDir: string;
  extensionsDir: string;
  /** User settings over the quiet ones; written only where the profile has none yet. */
  settings?: Settings;
  /** Ask whether the workspace is to be trusted. Off: everything is trusted. */
  trust?: boolean;
  /** 0: a free one. Secrets belong to the address: a restart that wants them back names the same port. */
  port?: number;
  /** Only who knows it comes in. None: everybody on this machine. */
  token?: string;
  /** Folders of extensions under development. */
  developmentPaths?: string[];
  /** The test runner to run inside the extension host. */
  testsPath?: string;
  /** All of VS Code's own extensions; else the few of {@link OWN}. */
  isWhole?: boolean;
  /** End some minutes after the last page has gone, in case that nobody else ends it. On unless told otherwise. */
  autoStop?: boolean;
  env?: NodeJS.ProcessEnv;
  log?: (text: string) => void;
}

export interface Server {
  port: number;
  /** Of the server's process; windows' extension hosts are its children. */
  pid: number | undefined;
  /** The workbench's address with a folder or a `.code-workspace` file, or with none. */
  url(workspace?: string): string;
  stop(): Promise<void>;
}

function directories(options: Pick<ServerOptions, 'userDataDir' | 'extensionsDir'>): string[] {
  const { userDataDir, extensionsDir } = options;
  const args = ['--accept-server-license-terms', '--server-data-dir', userDataDir, '--user-data-dir', userDataDir];
  return [...args, '--extensions-dir', extensionsDir];
}

/** VS Code's own extensions that tests see: themes and JSON. The other hundred would take a fifth of each start. */
const OWN = [
  ...['configuration-editing', 'json', 'json-language-features', 'markdown-basics'],
  ...['theme-defaults', 'theme-modern-icons', 'theme-seti'],
];

/** A folder in the profile with VS Code's own extensions of {@link OWN}, as far as its version has them. */
function ownExtensions({ main }: ServerFiles, userDataDir: string): string {
  const folder = path.join(userDataDir, 'own-extensions');
  mkdirSync(folder, { recursive: true });
  for (const name of OWN) {
    const [from, to] = [path.resolve(main, '..', '..', 'extensions', name), path.join(folder, name)];
    if (existsSync(from) && !existsSync(to)) symlinkSync(from, to, 'junction');
  }
  return folder;
}

function environment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  // no marketplace; and nothing of the npm script or debugger that we may run in
  const env: NodeJS.ProcessEnv = { ...process.env, ...extra, EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '' }) };
  delete env.NODE_OPTIONS;
  delete env.ELECTRON_RUN_AS_NODE;
  return env;
}

/** Installs a packaged extension into an extensions folder. */
export async function installExtension(
  files: ServerFiles,
  vsix: string,
  extensionsDir: string,
  userDataDir: string,
): Promise<void> {
  const args = [files.main, ...directories({ userDataDir, extensionsDir }), '--install-extension', vsix, '--force'];
  const { code, output } = await run(files.node, args, { env: environment() });
  if (code !== 0) throw new Error(`Installing ${vsix} ended with ${String(code)}\n${output}`);
}

/** Starts a VS Code server, and in front of it the outer page that such a server expects to have. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { files, userDataDir, extensionsDir, trust = false, isWhole = false, autoStop = true, token, log } = options;
  const settingsFile = path.join(userDataDir, 'User', 'settings.json');
  mkdirSync(path.dirname(settingsFile), { recursive: true });
  mkdirSync(extensionsDir, { recursive: true });
  if (!existsSync(settingsFile)) {
    const settings = { ...quiet, 'security.workspace.trust.enabled': trust, ...options.settings };
    writeFileSync(settingsFile, JSON.stringify(settings, null, 2));
  }
  const child = start(
    files.node,
    [
      files.main,
      ...directories(options),
      ...(isWhole ? [] : ['--builtin-extensions-dir', ownExtensions(files, userDataDir)]),
      ...['--host', '127.0.0.1', '--port', '0', '--telemetry-level', 'off'],
      ...(token ? ['--connection-token', token] : ['--without-connection-token']),
      ...(trust ? [] : ['--disable-workspace-trust']),
      ...(autoStop ? ['--reconnection-grace-time', '20', '--enable-remote-auto-shutdown'] : []),
    ],
    { env: environment(options.env) },
  );
  try {
    const inner = await new Promise<number>((resolve, reject) => {
      let said = '';
      const timer = setTimeout(() => {
        reject(new Error(`The VS Code server did not start within 180 s\n${said}`));
      }, 180_000);
      const read = (chunk: Buffer): void => {
        log?.(String(chunk));
        said += String(chunk);
        const port = /Extension host agent listening on (\d+)/.exec(said)?.[1];
        if (port) {
          clearTimeout(timer);
          resolve(Number(port));
        }
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.on('error', reject);
      child.on('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`The VS Code server ended with ${String(code)}\n${said}`));
      });
    });
    const front = await startFront(inner, options);
    return {
      port: front.port,
      pid: child.pid,
      url: (workspace) => {
        const query = new URLSearchParams();
        if (token) query.set('tkn', token);
        if (!workspace) query.set('ew', 'true');
        else query.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', serverPath(workspace));
        // a folder's slashes stay readable in the address that a person sees
        return `http://127.0.0.1:${String(front.port)}/?${query.toString().replaceAll('%2F', '/')}`;
      },
      stop: async () => {
        front.close();
        await stop(child);
      },
    };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** A file's path as the path of an URI: `/c:/data` on Windows. */
function serverPath(file: string): string {
  const absolute = path.resolve(file).replaceAll('\\', '/');
  return absolute.startsWith('/') ? absolute : `/${absolute}`;
}

/**
 * What code-server's outer process does for the workbench and the bare server does not:
 * - half of the key that SecretStorage encrypts with comes from `POST /mint-key`. A fixed one will do: the secrets are
 *   in the profile of a browser, and who has no token is not let in;
 * - the page's configuration names extensions under development and the test runner, and no service to ask for updates.
 */
async function startFront(inner: number, options: ServerOptions): Promise<{ port: number; close: () => void }> {
  const { token, developmentPaths = [], testsPath } = options;
  const port = options.port || (await quietPort());
  const host = '127.0.0.1';
  const target = (message: IncomingMessage) => ({
    host,
    port: inner,
    method: message.method,
    path: message.url,
    headers: message.headers,
  });

  const configure = (html: string): string =>
    html.replace(
      /(id="vscode-workbench-web-configuration"\s+data-settings=")([^"]*)"/,
      (_all, before: string, attribute: string) => {
        const configuration = JSON.parse(attribute.replaceAll('&quot;', '"')) as {
          remoteAuthority: string;
          developmentOptions?: object;
          productConfiguration?: object;
        };
        const uri = (file: string) => ({
          scheme: 'vscode-remote',
          authority: configuration.remoteAuthority,
          path: serverPath(file),
        });
        configuration.developmentOptions = {
          ...configuration.developmentOptions,
          ...(developmentPaths.length ? { extensions: developmentPaths.map(uri) } : {}),
          ...(testsPath ? { extensionTestsPath: uri(testsPath) } : {}),
        };
        configuration.productConfiguration = {
          ...configuration.productConfiguration,
          updateEndpoint: null,
          extensionsGallery: null,
          serviceWorker: null,
        };
        return `${before}${JSON.stringify(configuration).replaceAll('"', '&quot;')}"`;
      },
    );

  const answer = (message: IncomingMessage, response: ServerResponse): void => {
    if (message.method === 'POST' && message.url?.split('?')[0]?.endsWith('/mint-key')) {
      const allowed = !token || message.headers.cookie?.split(/;\s*/).includes(`vscode-tkn=${token}`);
      response.writeHead(allowed ? 200 : 403).end(allowed ? Buffer.alloc(32, 7) : undefined);
      return;
    }
    const page = message.method === 'GET' && /^\/(\?|$)/.test(message.url ?? '');
    if (page) delete message.headers['accept-encoding']; // it is rewritten, so it must not come packed
    const forward = request(target(message), (reply) => {
      if (!page || !reply.headers['content-type']?.startsWith('text/html')) {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
        return;
      }
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('end', () => {
        const body = Buffer.from(configure(Buffer.concat(parts).toString()));
        response.writeHead(reply.statusCode ?? 502, { ...reply.headers, 'content-length': body.length });
        response.end(body);
      });
    });
    forward.on('error', () => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    });
    message.pipe(forward);
  };

  const front = createServer(answer);
  front.on('upgrade', (message, socket, head) => {
    const forward = connect(inner, host, () => {
      const headers: string[] = [];
      for (let i = 0; i < message.rawHeaders.length; i += 2) {
        headers.push(`${message.rawHeaders[i] ?? ''}: ${message.rawHeaders[i + 1] ?? ''}`);
      }
      forward.write(`${message.method ?? 'GET'} ${message.url ?? '/'} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      forward.write(head);
      socket.pipe(forward).pipe(socket);
    });
    const close = (): void => {
      socket.destroy();
      forward.destroy();
    };
    for (const end of [socket, forward]) end.on('error', close).on('close', close);
  });
  await new Promise<void>((resolve, reject) => {
    front.on('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Problem(`Port ${String(port)} is in use by another program.`) : error);
    });
    front.listen(port, host, resolve);
  });
  return {
    port,
    close: () => {
      front.close();
      front.closeAllConnections();
    },
  };
}
