import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import * as vscode from 'vscode';
import type { TestApi } from '../../src/extension.ts';
import { newToken } from '../../src/service/store/token.ts';
import { openService } from '../../src/service/host/service.ts';

const ID = 'time-series-forecasts.time-series-forecasts';

/** The extension, activated. */
export async function extension(): Promise<TestApi & { readonly folder: string }> {
  const found = vscode.extensions.getExtension<TestApi>(ID);
  assert.ok(found, `${ID} is not there`);
  const api = await found.activate();
  return { ...api, folder: found.extensionPath };
}

/** A suite of our own code rather than of VS Code's API: the oldest VS Code would show nothing that the newest does not. */
export function inNewest(title: string, suite: () => void): void {
  if (!process.env.TEST_OLDEST) describe(title, suite);
}

/** A sample of the workspace. */
export function sample(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return vscode.Uri.joinPath(folder.uri, name);
}

/** Writes a file into the workspace. */
export async function file(name: string, content: string): Promise<vscode.Uri> {
  await vscode.workspace.fs.writeFile(sample(name), new TextEncoder().encode(content));
  return sample(name);
}

/** Collects the error messages that the work shows, and presses a button on each where one is named. */
export async function messages(
  work: () => PromiseLike<unknown>,
  press?: string,
): Promise<{ text: string; buttons: string[] }[]> {
  const shown: { text: string; buttons: string[] }[] = [];
  const { window } = vscode;
  const original = window.showErrorMessage;
  const replacement = (text: string, ...buttons: string[]) => {
    shown.push({ text, buttons });
    const pressed = press !== undefined && buttons.includes(press) ? press : undefined;
    press = undefined;
    return Promise.resolve(pressed);
  };
  window.showErrorMessage = replacement as unknown as typeof window.showErrorMessage;
  try {
    await work();
  } finally {
    window.showErrorMessage = original;
  }
  return shown;
}

/** Waits until something is so. */
export async function until<T>(read: () => T | PromiseLike<T>, good: (value: T) => boolean, what: string): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const value = await read();
    if (good(value)) return value;
    if (Date.now() > end) assert.fail(`${what}: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The local service over HTTP, as a remote one, with the requests it saw. */
export async function remoteService(folder: string) {
  const token = newToken();
  const requests: { method: string; path: string; authorization: string | null }[] = [];
  const service = await openService({
    folder: ':memory:',
    token,
    computeScript: join(folder, 'dist', 'engine.mjs'),
    report: (error) => {
      throw error;
    },
  });
  const fetch = (request: Request) => {
    requests.push({
      method: request.method,
      path: new URL(request.url).pathname,
      authorization: request.headers.get('authorization'),
    });
    return service.fetch(request);
  };
  const started = Promise.withResolvers<AddressInfo>();
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, started.resolve);
  const { port } = await started.promise;
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    requests,
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      await service.close();
    },
  };
}

/** Sets a setting of the user; `undefined` takes it back. */
export async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}

/** What an input showed, and how it was answered. */
export interface Asked {
  readonly title: string;
  readonly step: string;
  readonly placeholder: string;
  labels: readonly string[];
  details: readonly string[];
  /** Labels that were picked, or active, when it was answered. */
  picked: readonly string[];
  /** The text that it came with. */
  readonly value: string;
  /** What was wrong with the text that was entered. */
  readonly refusal: string;
}

/** How often, and how many milliseconds apart, is looked for an item of a list that fills while it is open: a minute, as `until`. */
const LOOKS = 12_000;
const LOOK = 5;

/**
 * Answers the inputs that the work shows, in their order, each with labels to pick, a text to enter, a button to press and
 * then to close it, or nothing to take what it offers; an input beyond them is closed. @returns what was asked
 */
export async function answering(
  answers: readonly (readonly string[] | string | { readonly button: string } | undefined)[],
  work: () => PromiseLike<unknown>,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const { window } = vscode;
  const { createQuickPick, createInputBox } = window;
  const tooltipOf = (button: vscode.QuickInputButton) =>
    button === vscode.QuickInputButtons.Back ? 'Back' : button.tooltip;
  const fake = () => {
    const events = {
      accept: new vscode.EventEmitter<void>(),
      hide: new vscode.EventEmitter<void>(),
      button: new vscode.EventEmitter<vscode.QuickInputButton>(),
    };
    const none = new vscode.EventEmitter<never>();
    const input = {
      items: [] as vscode.QuickPickItem[],
      selectedItems: [] as vscode.QuickPickItem[],
      activeItems: [] as vscode.QuickPickItem[],
      title: '',
      placeholder: '',
      prompt: '',
      value: '',
      validationMessage: '',
      step: undefined as number | undefined,
      totalSteps: undefined as number | undefined,
      onDidAccept: events.accept.event,
      onDidHide: events.hide.event,
      onDidTriggerButton: events.button.event,
      buttons: [] as vscode.QuickInputButton[],
      onDidChangeValue: none.event,
      onDidChangeSelection: none.event,
      dispose: () => undefined,
      show: () => {
        const { title, placeholder, prompt, value, step, totalSteps } = input;
        const answer = answers[asked.length];
        const isLast = asked.length >= answers.length;
        asked.push({
          title,
          step: step === undefined ? '' : `${step}/${String(totalSteps)}`,
          placeholder: placeholder || prompt,
          labels: [],
          details: [],
          picked: [],
          value,
          get refusal() {
            return input.validationMessage;
          },
        });
        const seen = asked.at(-1)!;
        // a list may fill while it is open; a person looks until what they want is there
        const isThere = () =>
          !Array.isArray(answer) || answer.every((label) => input.items.some((item) => item.label === label));
        const look = (looks: number) => {
          if (!isThere() && looks > 0) {
            setTimeout(look, LOOK, looks - 1);
            return;
          }
          const { items, selectedItems, activeItems } = input;
          seen.labels = items.map((item) => item.label);
          seen.details = items.map((item) => item.detail ?? item.description ?? '');
          seen.picked = [...selectedItems, ...activeItems].map((item) => item.label);
          if (isLast) {
            events.hide.fire();
            return;
          }
          if (typeof answer === 'object' && 'button' in answer) {
            for (const button of input.buttons) if (tooltipOf(button) === answer.button) events.button.fire(button);
            events.hide.fire();
            return;
          }
          if (typeof answer === 'string') input.value = answer;
          else if (answer) {
            input.selectedItems = items.filter((item) => answer.includes(item.label));
            input.activeItems = input.selectedItems;
          } else if (input.activeItems.length === 0)
            input.activeItems = items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator).slice(0, 1);
          events.accept.fire();
          // a list that stays open after a choice is closed
          setTimeout(() => {
            events.hide.fire();
          }, 500);
        };
        setTimeout(look, 0, LOOKS);
      },
    };
    return input;
  };
  window.createQuickPick = fake as unknown as typeof createQuickPick;
  window.createInputBox = fake as unknown as typeof createInputBox;
  try {
    await work();
  } finally {
    window.createQuickPick = createQuickPick;
    window.createInputBox = createInputBox;
  }
  return asked;
}

/** Waits until a tab of this name is open: VS Code tells of a new one a moment after it was asked for. */
export const tabOpened = (label: string): Promise<unknown> =>
  until(
    () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map((tab) => tab.label)),
    (labels) => labels.includes(label),
    `a tab ${label} is open`,
  );
