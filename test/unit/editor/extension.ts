import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as vscode from 'vscode';
import { URI } from 'vscode-uri';
import type { App } from '../../../src/editor/app.ts';
import type { CommandName } from '../../../src/editor/commands.ts';
import { activate, deactivate } from '../../../src/extension.ts';
import { threads } from '../threads.ts';
import { Person } from './workbench/person.ts';
import { ExtensionMode } from './workbench/values.ts';
import { inWindow, now } from './workbench/vscode.ts';
import { Window } from './workbench/window.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const words = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
/** As VS Code hands it over: in the person's language. */
const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'), (_, value: unknown) =>
  typeof value === 'string' ? (words[value.replace(/^%(.*)%$/, '$1')] ?? value) : value,
);

const fileOf = (program: string): string => {
  const name = /^dist\/(engine|service|series)\.mjs$/.exec(program)?.[1] as keyof typeof threads | undefined;
  return name ? fileURLToPath(threads[name]) : path.join(root, program);
};

/**
 * The whole extension, with its real service and reader, before a workbench of the tests: once for a suite, each test of
 * which has a person and a folder for files of its own.
 */
export class Extension {
  window!: Window;
  app!: App;
  folder!: string;
  #storage!: string;
  #subscriptions: { dispose: () => unknown }[] = [];

  constructor() {
    before(() => {
      this.#storage = mkdtempSync(path.join(tmpdir(), 'forecasts-storage-'));
      this.window = now.window = new Window();
      this.start();
    });
    beforeEach(() => {
      now.window = this.window;
      this.window.person = new Person();
      this.folder = mkdtempSync(path.join(tmpdir(), 'forecasts-files-'));
    });
    afterEach(() => {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
      this.person.verify();
    });
    after(async () => {
      await this.stop();
      rmSync(this.#storage, { recursive: true, force: true, maxRetries: 3 });
    });
  }

  get person(): Person {
    return this.window.person;
  }

  /** Starts the extension, also once more over the same state, as after a reload of the window. */
  start(): void {
    const { window } = this;
    const context = {
      subscriptions: [] as { dispose: () => unknown }[],
      extensionUri: URI.file(root),
      extension: { id: 'time-series-forecasts.time-series-forecasts', packageJSON: manifest },
      globalStorageUri: URI.file(this.#storage),
      globalState: window.globalState,
      workspaceState: window.workspaceState,
      extensionMode: ExtensionMode.Test,
      asAbsolutePath: fileOf,
      secrets: {
        get: (key: string) => Promise.resolve(window.secrets.get(key)),
        store: (key: string, value: string) => {
          window.secrets.set(key, value);
          window.changedSecret.fire({ key });
          return Promise.resolve();
        },
        delete: (key: string) => {
          window.secrets.delete(key);
          window.changedSecret.fire({ key });
          return Promise.resolve();
        },
        onDidChange: window.changedSecret.event,
      },
    };
    this.#subscriptions = context.subscriptions;
    this.app = inWindow(window, () => activate(context as unknown as vscode.ExtensionContext))!.app;
  }

  async stop(): Promise<void> {
    for (const subscription of this.#subscriptions.splice(0)) subscription.dispose();
    await deactivate();
  }

  run(command: CommandName, ...args: unknown[]): Promise<unknown> {
    return inWindow(this.window, () => this.window.commands.executeCommand(`forecasts.${command}`, ...args));
  }

  /** Writes a file into the folder of this test. */
  file(name: string, text: string): URI {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return URI.file(file);
  }
}
