import { bandStrength } from '../shared/colors.ts';
import { h } from '../shared/dom.ts';
import type { Readout, ReadoutEntry } from './readout.ts';

/** The box beside the cursor with the time and the values there. */
export interface Tooltip {
  readonly element: HTMLElement;
  /** Shows a readout at a place inside the parent, on the side that has room. */
  show(readout: Readout, x: number, y: number): void;
  hide(): void;
}

const DISTANCE = 14;

/** A line or a patch in the colour of what it stands for. */
export function swatch(kind: ReadoutEntry['kind'], layers = 1): HTMLElement {
  const element = h(`span.swatch.${kind}`, { attributes: { 'aria-hidden': 'true' } });
  if (kind === 'band') element.style.setProperty('--strength', String(bandStrength(layers)));
  return element;
}

/** Makes the box. What it says is announced elsewhere, so that it is hidden from screen readers. */
export function createTooltip(): Tooltip {
  const element = h('div.tooltip', { attributes: { hidden: true, 'aria-hidden': 'true' } });
  return {
    element,
    show({ time, entries }, x, y) {
      const rows = entries.map(({ kind, label, value, layers }) =>
        h('div.row', {}, swatch(kind, layers), h('span.label', {}, label), h('span.value', {}, value)),
      );
      element.replaceChildren(h('div.time', {}, time), ...rows);
      element.hidden = false;
      const { clientWidth, clientHeight } = element.parentElement ?? document.body;
      const { offsetWidth, offsetHeight } = element;
      const right = x + DISTANCE + offsetWidth <= clientWidth;
      const left = right ? x + DISTANCE : Math.max(0, x - DISTANCE - offsetWidth);
      const above = y - DISTANCE - offsetHeight >= 0;
      const top = above
        ? y - DISTANCE - offsetHeight
        : Math.min(y + DISTANCE, Math.max(0, clientHeight - offsetHeight));
      element.style.transform = `translate(${String(Math.round(left))}px, ${String(Math.round(top))}px)`;
    },
    hide() {
      element.hidden = true;
    },
  };
}
