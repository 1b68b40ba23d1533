import type { Axes, Drawn } from '../../editor/views/file-reading/protocol.ts';

/** Units of the drawing; it is stretched to the width that it has, its lines are not. */
const WIDTH = 1000;
const HEIGHT = 100;

/** The line of a series: a break where a value is missing, a dot where a value stands alone. */
export function Line({ drawn, low, high }: { readonly drawn: Drawn; readonly low: number; readonly high: number }) {
  return (
    <svg class="line" viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={pathOf(drawn, low, high)} />
    </svg>
  );
}

/** The path of a line in units of the drawing. */
export function pathOf({ times, values }: Drawn, low: number, high: number): string {
  const first = times[0] ?? 0;
  const span = (times.at(-1) ?? first) - first || 1;
  let isOn = false;
  let path = '';
  times.forEach((time, at) => {
    const value = values[at]!;
    if (Number.isNaN(value)) {
      isOn = false;
      return;
    }
    const x = (((time - first) / span) * WIDTH).toFixed(1);
    const y = ((1 - (value - low) / (high - low)) * HEIGHT).toFixed(1);
    const isAlone = !isOn && (at + 1 >= values.length || Number.isNaN(values[at + 1]));
    path += isAlone ? `M${x},${y}h0.1` : `${isOn ? 'L' : 'M'}${x},${y}`;
    isOn = true;
  });
  return path;
}

/** The lowest and the highest value of a line; one apart where they are the same. */
export function rangeOf({ values }: Drawn): { readonly low: number; readonly high: number } {
  const there = values.filter((value) => !Number.isNaN(value));
  const low = there.reduce((least, value) => Math.min(least, value), Infinity);
  const high = there.reduce((most, value) => Math.max(most, value), -Infinity);
  if (low > high) return { low: 0, high: 1 };
  return { low, high: low < high ? high : low + 1 };
}

/** A series with its axes. */
export function SeriesChart({
  drawn,
  axes,
  about,
}: {
  readonly drawn: Drawn;
  readonly axes: Axes;
  /** What it shows, for who does not see it. */
  readonly about: string;
}) {
  return (
    <div class="chart" role="img" aria-label={about}>
      <div class="values">
        {axes.values.map(({ at, label }) => (
          <span key={label} style={{ bottom: `${String(at * 100)}%` }}>
            {label}
          </span>
        ))}
      </div>
      <div class="plot">
        {axes.values.map(({ at }) => (
          <i key={at} class="grid" style={{ bottom: `${String(at * 100)}%` }} />
        ))}
        <Line drawn={drawn} low={axes.low} high={axes.high} />
      </div>
      <div class="times">
        {axes.times.map(({ at, label }) => (
          <span key={label} style={{ left: `${String(at * 100)}%` }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}
