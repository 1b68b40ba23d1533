import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isoInstant } from '../../src/calendar/format.ts';
import { SeriesReader } from '../../src/reading/read.ts';
import { numberOf, readArguments } from './arguments.ts';

/** Reads a generated CSV of 5,000,000 rows from a stream: `node test/bench/large-file.ts [ROWS]`. Prints time and memory. */

const rows = numberOf(readArguments({ allowPositionals: true }).positionals[0] ?? '5000000', 'ROWS');
const folder = mkdtempSync(join(tmpdir(), 'series-'));
const file = join(folder, 'large.csv');

function generate(): void {
  const handle = openSync(file, 'w');
  let text = 'timestamp,value\n';
  for (let row = 0; row < rows; row++) {
    const time = isoInstant(Date.UTC(2015, 0, 1) + row * 60_000)
      .replace('T', ' ')
      .replace('Z', '');
    text += `${time},${(100 + 10 * Math.sin(row / 229) + ((row * 7919) % 1000) / 1000).toFixed(4)}\n`;
    if (text.length < 1_000_000 && row < rows - 1) continue;
    writeSync(handle, text);
    text = '';
  }
  closeSync(handle);
}

try {
  generate();
  const start = performance.now();
  const reader = new SeriesReader({ fileName: 'large.csv' });
  for await (const part of createReadStream(file, { highWaterMark: 1 << 20 })) reader.push(part as Buffer);
  const { series } = reader.finish();
  const seconds = (performance.now() - start) / 1000;
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
  console.log(series[0]?.summary);
  console.log(
    `${megabytes(statSync(file).size)} read in ${seconds.toFixed(1)} s; peak memory of the process ${megabytes(process.resourceUsage().maxRSS * 1024)}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
