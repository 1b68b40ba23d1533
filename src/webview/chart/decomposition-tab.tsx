import type { Frame } from '../../chart/frame.ts';
import type { Scene } from '../../chart/scene.ts';
import { joined } from '../../chart/trace.ts';
import type { PartsView } from '../../editor/views/analysis/protocol.ts';
import { LookTab, type LookTabProps, Picture } from './look-tab.tsx';

/** Room for the labels of values, in pixels: components below each other have one axis of time. */
const GUTTER = 64;

/** The tab that shows the components of the series and its forecast: small charts on one axis of time. */
export const DecompositionTab = ({ frame, found }: LookTabProps) => (
  <LookTab look="parts" found={found}>
    {({ sentences, parts }) => (
      <>
        {sentences.length > 0 && <p class="sentence">{`${sentences.join('; ')}.`}</p>}
        {parts.map(({ label }, index) => (
          <section key={label}>
            <h2>{label}</h2>
            <Picture
              label={label}
              height={index === parts.length - 1 ? 138 : 110}
              scene={componentOf(frame, parts, index)}
            />
          </section>
        ))}
      </>
    )}
  </LookTab>
);

/** A component with that of the forecast tied on; only the last one has labels of time below. */
function componentOf(frame: Frame, parts: PartsView['parts'], index: number): Scene {
  const { history, forecast, isAroundZero } = parts[index]!;
  const times = parts.flatMap((part) => [part.history.times[0] ?? Infinity, part.forecast.times.at(-1) ?? -Infinity]);
  const value = history.values.at(-1);
  const join = value !== undefined && Number.isFinite(value) ? { time: history.times.at(-1)!, value } : undefined;
  return {
    traces: [
      ...(frame.divide === undefined ? [] : [{ kind: 'rule', at: frame.divide } as const]),
      { kind: 'line', line: history, hue: 'history' },
      { kind: 'line', line: joined(forecast, join), hue: 'forecast' },
    ],
    range: { min: Math.min(...times), max: Math.max(...times.filter(Number.isFinite)) },
    axes: {
      ...(index === parts.length - 1 && { below: frame.time }),
      isZeroShown: isAroundZero,
      gutter: GUTTER,
    },
  };
}
