import { AsyncLocalStorage } from 'node:async_hooks';
import { Window } from './window.ts';

export * from './values.ts';

const own = new AsyncLocalStorage<Window>();
let ofTests = new Window();

/** The window that the tests of now look through; for all that runs {@link inWindow} that one, also where it comes late. */
export const now = {
  get window(): Window {
    return own.getStore() ?? ofTests;
  },
  set window(window: Window) {
    ofTests = window;
  },
};

/** Whatever this begins speaks to this window, even after other tests have begun with theirs. */
export const inWindow = <T>(window: Window, work: () => T): T => own.run(window, work);

/** A part of the module, as the window of now has it. What is not there is a fault, not `undefined`. */
function part<K extends 'window' | 'workspace' | 'commands' | 'languages' | 'env' | 'lm'>(name: K): Window[K] {
  const get = (_: unknown, key: string | symbol): unknown => {
    if (name === 'window' && key === 'activeTextEditor') return now.window.activeTextEditor;
    if (name === 'workspace' && key === 'textDocuments') return now.window.documents;
    if (name === 'workspace' && key === 'workspaceFolders') return now.window.folders;
    const there = now.window[name] as Record<string | symbol, unknown>;
    if (!(key in there)) throw new Error(`The workbench of the tests has no vscode.${name}.${String(key)}`);
    return there[key];
  };
  return new Proxy({}, { get }) as Window[K];
}

export const window = part('window');
export const workspace = part('workspace');
export const commands = part('commands');
export const languages = part('languages');
export const env = part('env');
export const lm = part('lm');

/** As the editor translates: by the English text, with the arguments put in. */
export const l10n = {
  /** Of the language of the window; none for English. */
  get bundle(): Readonly<Record<string, string>> | undefined {
    return now.window.words;
  },
  t: (text: string, ...args: (string | number | boolean)[]): string =>
    (now.window.words?.[text] ?? text).replaceAll(/\{(\d+)\}/g, (place, index: string) =>
      String(args[Number(index)] ?? place),
    ),
};
