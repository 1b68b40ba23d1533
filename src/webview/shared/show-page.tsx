import * as l10n from '@vscode/l10n';
import { type FunctionComponent, render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { writeNumbersIn } from '../../calendar/digits.ts';
import type { PageMessage, PageState, StateMessage } from '../../editor/views/shared/protocol.ts';
import { isRecord } from '../../editor/views/shared/protocol.ts';
import { Theme, themeColors, watchTheme } from './drawing.tsx';

// the editor hands the words of its language over with the page; this module comes before whatever says one of them
const { lang, dataset } = document.documentElement;
if (dataset['words'] !== undefined) {
  l10n.config({ contents: dataset['words'] });
  writeNumbersIn(lang);
}

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

export interface PageProps<S extends PageState, I> {
  readonly state: S;
  readonly send: (intent: I) => void;
}

export interface KeepingProps {
  readonly log: { readonly error: (message: string) => void };
  readonly kept: unknown;
  readonly keep: (view: unknown) => void;
}

/** Draws a page from the state that its host sends, and again with every part of it that is another. */
export function showPage<S extends PageState, I>(View: FunctionComponent<PageProps<S, I> & KeepingProps>): void {
  const vscode = acquireVsCodeApi();
  const post = (message: PageMessage<I>) => vscode.postMessage(message);
  const before = vscode.getState();
  const kept = isRecord(before) ? before['view'] : undefined;
  let saved: { ref?: unknown; view?: unknown } = kept === undefined ? {} : { view: kept };
  const save = (parts: typeof saved) => {
    saved = { ...saved, ...parts };
    vscode.setState(saved);
  };
  const log = { error: (message: string) => post({ type: 'problem', message }) };
  const send = (intent: I) => post({ type: 'intent', intent });
  const keep = (view: unknown) => save({ view });
  const Root = () => {
    const [colors, setColors] = useState(themeColors);
    const [state, setState] = useState<S>();
    useLayoutEffect(() => {
      watchTheme(() => setColors(themeColors()));
      window.addEventListener('message', ({ data: { type, parts } }: MessageEvent<StateMessage<S>>) => {
        if (type !== 'state') return;
        if (parts.ref !== undefined) save({ ref: parts.ref });
        if (parts.title !== undefined) document.title = parts.title;
        setState((now) => ({ ...now, ...parts }) as S);
      });
    }, []);
    return <Theme value={colors}>{state && <View {...{ state, send, log, kept, keep }} />}</Theme>;
  };
  render(<Root />, document.getElementById('app')!);
  window.addEventListener('error', ({ message }) => log.error(message));
  post({ type: 'ready' });
}
