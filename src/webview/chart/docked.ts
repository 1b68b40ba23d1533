import { bandStrength } from '../../chart/print.ts';
import { h } from '../shared/dom.ts';
import type { Readout, ReadoutEntry } from './readout.ts';

/** The line above the plot with the time and the values at the cursor; it never covers what is drawn. */
export interface DockedReadout {
  readonly element: HTMLElement;
  /** @param isAtCursor else it stands for the moment that is told while there is no cursor */
  show(readout: Readout, isAtCursor: boolean): void;
}

/** Values that have room in one line of a wide panel: a forecast and its bands. */
const ONE_LINE = 4;

/** A line or a patch in the colour of what it stands for. */
export function swatch(kind: ReadoutEntry['kind'], layers = 1, color?: number): HTMLElement {
  const element = h(`span.swatch.${kind}`, { attributes: { 'aria-hidden': 'true' } });
  if (color !== undefined) element.classList.add(`other-${String(color)}`);
  if (kind === 'band') element.style.setProperty('--strength', String(bandStrength(layers)));
  return element;
}

/** Makes the line. What it says is announced elsewhere, so that it is hidden from screen readers. */
export function createDockedReadout(): DockedReadout {
  const element = h('div.readout', { attributes: { 'aria-hidden': 'true' } });
  return {
    element,
    show({ time, entries }, isAtCursor) {
      const values = entries.map(({ kind, label, value, layers, color }) =>
        h('span.entry', {}, swatch(kind, layers, color), h('span.label', {}, label), h('span.value', {}, value)),
      );
      // it stays as high as it had to be once, so that the plot does not move under the cursor
      if (entries.length > ONE_LINE) element.classList.add('two-lines');
      element.classList.toggle('resting', !isAtCursor);
      element.replaceChildren(h('span.time', {}, time), ...values);
    },
  };
}
