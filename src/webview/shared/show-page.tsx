import { signal } from '@preact/signals';
import { type FunctionComponent, render } from 'preact';
import type { Kept, PageMessage, PageState, StateMessage } from '../../editor/views/shared/protocol.ts';
import { watchTheme } from './colors.ts';
import { Theme } from './drawing.tsx';
import { listen, panelOfPage } from './panel.ts';

/** What a page is drawn from, and how it says what the person wants. */
export interface PageProps<S extends PageState, I> {
  readonly state: S;
  readonly send: (intent: I) => void;
}

/** Draws a page from the state that its host sends, and again with every part of it that is another. */
export function showPage<S extends PageState, I>(View: FunctionComponent<PageProps<S, I>>): void {
  const panel = panelOfPage<PageMessage<I>>();
  const state = signal<S | undefined>(undefined);
  const send = (intent: I) => {
    panel.post({ type: 'intent', intent });
  };
  const theme = watchTheme();
  const Root = () =>
    state.value ? (
      <Theme value={theme}>
        <View state={state.value} send={send} />
      </Theme>
    ) : null;
  render(<Root />, document.getElementById('app')!);
  listen<StateMessage<S>>(panel, {
    state: ({ parts }) => {
      const now = { ...state.value, ...parts } as S;
      state.value = now;
      panel.save({ ref: now.ref } satisfies Kept);
    },
  });
}
