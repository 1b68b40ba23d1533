import type { SeriesTexts } from '../../../src/client/store-series.ts';

export interface Named {
  readonly name: string;
  readonly times: ArrayLike<number>;
}

const pointsOf = ({ times }: Named) =>
  Array.from(times)
    .slice(0, 3)
    .map((value, n) => ({ timestamp: `2026-01-0${n + 1}T00:00:00Z`, value }));
const bytes = (text: string) => new TextEncoder().encode(text);

/** Makes texts of the first points of series, and counts those of streams that were asked for. */
export class Texts implements SeriesTexts<Named> {
  lines = 0;
  async bodyOf(fields: object, series: readonly Named[]) {
    return bytes(
      JSON.stringify({ ...fields, series: series.map((one) => ({ name: one.name, series: pointsOf(one) })) }),
    );
  }
  async linesOf(series: readonly Named[], ids?: readonly string[]) {
    this.lines += series.length;
    return bytes(
      series.map((one, n) => `${JSON.stringify({ id: ids?.[n], name: one.name, series: pointsOf(one) })}\n`).join(''),
    );
  }
  async fingerprintOf(series: readonly Named[]) {
    return `${series.length}-${series[0].name}`;
  }
}

export const many = (count: number, points = 3): Named[] =>
  Array.from({ length: count }, (_, n) => ({ name: `s${n}`, times: new Float64Array(points) }));
