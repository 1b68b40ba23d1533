import type { Look, Seen, WorkMessage } from '../../editor/views/analysis/protocol.ts';
import type { Frame } from '../../chart/frame.ts';
import { createBacktestTab } from './backtest-tab.ts';
import { createOddTab } from './odd-tab.ts';
import { createPartsTab } from './parts-tab.ts';

/** The tabs that tell more of a forecast than the chart. */
export interface Looks {
  readonly elements: Readonly<Record<Look, HTMLElement>>;
  open(look: Look): void;
  /** What a tab has asked for is there. */
  seen(seen: Seen): void;
}

/** @param goTo shows a moment in the chart */
export function createLooks(frame: Frame, post: (message: WorkMessage) => void, goTo: (time: number) => void): Looks {
  const ask = (look: Look) => () => {
    post({ type: 'look', look });
  };
  const backtest = createBacktestTab(frame, ask('backtest'));
  const parts = createPartsTab(frame, ask('parts'));
  const odd = createOddTab(frame, {
    first: ask('odd'),
    ask: (rarity) => {
      post({ type: 'look', look: 'odd', rarity });
    },
    leaveOut: () => {
      post({ type: 'odd', do: 'leave-out' });
    },
    mark: () => {
      post({ type: 'odd', do: 'mark' });
    },
    goTo,
  });
  const tabs = { backtest, parts, odd };
  return {
    elements: { backtest: backtest.element, parts: parts.element, odd: odd.element },
    open(look) {
      tabs[look].open();
    },
    seen(seen) {
      if ('problem' in seen) tabs[seen.look].fail(seen.problem);
      else if (seen.look === 'backtest') backtest.show(seen.view);
      else if (seen.look === 'parts') parts.show(seen.view);
      else odd.show(seen.view);
    },
  };
}
