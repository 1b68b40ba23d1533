import { writeFileSync } from 'node:fs';
import { isoInstant } from '../../../src/calendar/format.ts';
import { addSteps } from '../../../src/calendar/frequency.ts';

/** Writes the made-up files of media/samples anew: `node test/unit/series/make-samples.ts`. The same bytes each time. */

const folder = new URL('../../../media/samples/', import.meta.url);
const write = (name: string, text: string) => {
  writeFileSync(new URL(name, folder), text);
};

/** Numbers from a normal distribution, about: the sum of twelve uniform ones of a Lehmer generator. */
function noise(seed: number): () => number {
  let state = seed;
  const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
  return () => Array.from({ length: 12 }, uniform).reduce((sum, each) => sum + each, -6);
}

const wave = (step: number, period: number, shift = 0) => Math.sin((2 * Math.PI * (step + shift)) / period);
const day = (time: number) => isoInstant(time).slice(0, 10);
const at = (start: string, unit: 'minute' | 'hour' | 'day' | 'week' | 'month', count: number, step: number) =>
  addSteps(Date.parse(start), { unit, count }, step);

function storeSales(): string {
  const stores = ['North', 'South', 'Harbour', 'Airport'];
  const rows = Array.from({ length: 157 }, (_, week) => {
    const cells = stores.map((_, store) => {
      const random = noise(1 + store * 1000 + week);
      random();
      const season = 1 + 0.18 * wave(week, 52.18, store * 6) + (week % 52 > 46 ? 0.35 : 0);
      return Math.round((820 + 310 * store + 1.6 * week) * season + 35 * random());
    });
    return [day(at('2022-01-03', 'week', 1, week)), ...cells].join(',');
  });
  return [['Week', ...stores].join(','), ...rows].join('\n') + '\n';
}

function energyHourly(): string {
  const random = noise(7);
  const rows = Array.from({ length: 24 * 49 }, (_, hour) => {
    const weekend = Math.floor(hour / 24) % 7 > 4 ? -6.5 : 0;
    const load = 42 + 9 * wave(hour, 24, -8) + 3 * wave(hour, 12, -4) + weekend + 0.9 * random();
    return `${isoInstant(at('2024-01-01', 'hour', 1, hour))};${load.toFixed(2).replace('.', ',')}`;
  });
  return ['Time (UTC);Load (MW)', ...rows].join('\n') + '\n';
}

function webVisits(): string {
  const random = noise(11);
  const points = Array.from({ length: 500 }, (_, step) => {
    const weekly = [1.1, 1.16, 1.15, 1.1, 1.02, 0.72, 0.75][step % 7] ?? 1;
    const value = Math.max(0, Math.round((1900 + 2.1 * step) * weekly * (1 + 0.04 * random())));
    return `  ${JSON.stringify({ timestamp: isoInstant(at('2023-01-02', 'day', 1, step)), value })}`;
  });
  return `[\n${points.join(',\n')}\n]\n`;
}

function sensor(): string {
  const random = noise(13);
  const rows = Array.from({ length: 288 * 3 }, (_, step) => {
    // Half an hour of silence and one reading that failed, as sensors have them.
    if (step > 400 && step < 407) return '';
    const value = step === 610 ? null : Number((18 + 4 * wave(step, 288, -100) + 0.25 * random()).toFixed(2));
    return `${JSON.stringify({ time: isoInstant(at('2024-05-06', 'minute', 5, step)), temperature: value })}\n`;
  });
  return rows.join('');
}

function retailLong(): string {
  const products = [
    'bread',
    'butter',
    'cheese',
    'coffee',
    'flour',
    'honey',
    'juice',
    'milk',
    'oil',
    'rice',
    'sugar',
    'tea',
  ];
  const rows = products.flatMap((product, index) => {
    const random = noise(17 + index);
    return Array.from({ length: 60 }, (_, month) => {
      const level = 200 + 45 * index + (index % 3) * 1.5 * month;
      const units = level * (1 + 0.15 * wave(month, 12, index)) + 12 * random();
      return `${product},${day(at('2020-01-01', 'month', 1, month)).slice(0, 7)},${Math.max(0, Math.round(units))}`;
    });
  });
  return ['product,month,units', ...rows].join('\n') + '\n';
}

/**
 * Weekly sales of products that are on offer for two weeks in every nine, each at its own time: sales more than double, then
 * stay low for three weeks, as people have stocked up, and come back. Noise of a twentieth. Nine weeks are no season of the
 * calendar; a model that is trained on the dataset learns the rhythm.
 */
function promotions(): string {
  const course = [1, 2.2, 1.7, 0.75, 0.7, 0.85, 0.95, 1, 1];
  const products = Array.from({ length: 30 }, (_, index) => {
    const random = noise(501 + index * 977);
    const usual = 180 + 60 * random();
    const start = (index * 5) % course.length;
    return Array.from({ length: 130 }, (_week, week) => {
      const units = Math.max(20, usual) * (course[(week + start) % course.length] ?? 1) * (1 + 0.05 * random());
      return `product ${index + 1},${day(at('2023-01-02', 'week', 1, week))},${Math.round(units)}`;
    });
  });
  return ['product,week,units', ...products.flat()].join('\n') + '\n';
}

write('promotions.csv', promotions());
write('store-sales.csv', storeSales());
write('energy-hourly.csv', energyHourly());
write('web-visits.json', webVisits());
write('sensor.ndjson', sensor());
write('retail-long.csv', retailLong());
