import * as l10n from '@vscode/l10n';
import type { Frame } from '../../chart/frame.ts';
import { h } from '../shared/dom.ts';
import { type SmallChart, smallChart } from './small-chart.ts';

/** A tab that tells more of a forecast than the chart. Its content is asked for when it is first seen. */
export interface LookTab<V> {
  readonly element: HTMLElement;
  /** The tab is seen: asks if it has nothing yet, and draws at the width of now. */
  open(): void;
  show(view: V): void;
  fail(sentence: string): void;
}

/** Draws small charts at the width of their element, and again when that changes. */
export interface Drawing {
  readonly add: (chart: SmallChart) => HTMLElement;
  readonly clear: () => void;
  readonly draw: () => void;
}

const USUAL_WIDTH = 640;

export function createDrawing(frame: Frame): Drawing {
  let charts: { readonly chart: SmallChart; readonly place: HTMLElement; width: number }[] = [];
  return {
    add(chart) {
      const place = h('div.small');
      charts.push({ chart, place, width: 0 });
      return place;
    },
    clear() {
      charts = [];
    },
    draw() {
      for (const one of charts) {
        const width = one.place.clientWidth || USUAL_WIDTH;
        if (width === one.width) continue;
        one.width = width;
        one.place.replaceChildren(smallChart(frame, one.chart, width));
      }
    },
  };
}

/**
 * The frame of such a tab: a word while it is computed, a sentence where that failed, else its content.
 * @param ask is called when there is nothing to show yet
 */
export function lookTab<V>(
  name: string,
  drawing: Drawing,
  ask: () => void,
  content: (view: V) => readonly HTMLElement[],
): LookTab<V> {
  let isAsked = false;
  const element = h(`div.look.${name}`);
  const say = (sentence: string, role: string) => {
    drawing.clear();
    element.replaceChildren(h('p.empty', { attributes: { role } }, sentence));
  };
  return {
    element,
    open() {
      if (!isAsked) {
        isAsked = true;
        say(l10n.t('Being computed…'), 'status');
        ask();
      }
      drawing.draw();
    },
    show(view) {
      isAsked = true;
      drawing.clear();
      element.replaceChildren(...content(view));
      if (!element.hidden) drawing.draw();
    },
    fail(sentence) {
      isAsked = false;
      say(sentence, 'alert');
    },
  };
}
