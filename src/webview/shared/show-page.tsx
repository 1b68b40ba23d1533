import { signal } from '@preact/signals';
import { type FunctionComponent, render } from 'preact';
import {
  dispatch,
  isRecord,
  type Kept,
  type PageMessage,
  type PageState,
  type StateMessage,
} from '../../editor/views/shared/protocol.ts';
import { watchTheme } from './colors.ts';
import { Theme } from './drawing.tsx';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** What a page is drawn from, and how it says what the person wants. */
export interface PageProps<S extends PageState, I> {
  readonly state: S;
  readonly send: (intent: I) => void;
}

/** What a page is handed that keeps something by itself. */
export interface KeepingProps {
  /** Tells the log of something that went wrong. */
  readonly log: { readonly error: (message: string) => void };
  /** What the page itself kept last over a reload and while it is hidden, as the part that the person looks at. */
  readonly kept: unknown;
  readonly keep: (view: unknown) => void;
}

/** Draws a page from the state that its host sends, and again with every part of it that is another. */
export function showPage<S extends PageState, I>(View: FunctionComponent<PageProps<S, I> & KeepingProps>): void {
  const vscode = acquireVsCodeApi();
  const post = (message: PageMessage<I>) => {
    vscode.postMessage(message);
  };
  const before = vscode.getState();
  let view = isRecord(before) ? before['view'] : undefined;
  const state = signal<S | undefined>(undefined);
  const save = () => {
    vscode.setState({ ref: state.value?.ref, ...(view === undefined ? {} : { view }) } satisfies Kept);
  };
  const keep = (now: unknown) => {
    view = now;
    save();
  };
  const send = (intent: I) => {
    post({ type: 'intent', intent });
  };
  const log = {
    error: (message: string) => {
      post({ type: 'problem', message });
    },
  };
  const theme = watchTheme();
  const kept = view;
  const Root = () =>
    state.value ? (
      <Theme value={theme}>
        <View state={state.value} {...{ send, log, kept, keep }} />
      </Theme>
    ) : null;
  render(<Root />, document.getElementById('app')!);
  window.addEventListener('message', ({ data }: MessageEvent<StateMessage<S>>) => {
    dispatch(data, {
      state: ({ parts }) => {
        state.value = { ...state.value, ...parts } as S;
        save();
      },
    });
  });
  window.addEventListener('error', ({ message }) => {
    log.error(message);
  });
  post({ type: 'ready' });
}
