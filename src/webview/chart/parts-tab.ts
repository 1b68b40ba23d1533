import type { PartsView } from '../../editor/views/analysis/protocol.ts';
import type { Frame } from '../../chart/frame.ts';
import { h } from '../shared/dom.ts';
import { type LookTab, createDrawing, lookTab } from './look-tab.ts';

/** The tab that shows what the series and its forecast add up from: small charts on one axis of time. */
export function createPartsTab(frame: Frame, ask: () => void): LookTab<PartsView> {
  const drawing = createDrawing(frame);
  return lookTab<PartsView>('parts', drawing, ask, ({ sentences, parts }) => {
    const times = parts.flatMap(({ history, forecast }) => [
      history.times[0] ?? Infinity,
      forecast.times.at(-1) ?? -Infinity,
    ]);
    const range = { min: Math.min(...times), max: Math.max(...times.filter(Number.isFinite)) };
    const charts = parts.map(({ label, history, forecast, isAroundZero }, index) => {
      const isLast = index === parts.length - 1;
      const place = drawing.add({
        label,
        height: isLast ? 138 : 110,
        range,
        lines: [
          { points: history, look: 'history' },
          { points: joined(history, forecast), look: 'forecast' },
        ],
        ...(frame.divide === undefined ? {} : { rules: [frame.divide] }),
        isZeroShown: isAroundZero,
        isBare: !isLast,
      });
      return h('section', {}, h('h2', {}, label), place);
    });
    return [...(sentences.length > 0 ? [h('p.sentence', {}, `${sentences.join('; ')}.`)] : []), ...charts];
  });
}

/** The part of the forecast, tied on to that of the history. */
function joined(history: PartsView['parts'][number]['history'], forecast: PartsView['parts'][number]['forecast']) {
  const last = history.values.at(-1);
  if (last === undefined || !Number.isFinite(last)) return forecast;
  return {
    times: Float64Array.of(history.times.at(-1)!, ...forecast.times),
    values: Float64Array.of(last, ...forecast.values),
  };
}
