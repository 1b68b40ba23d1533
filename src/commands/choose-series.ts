import * as vscode from 'vscode';
import { formatInstant } from '../calendar/format.ts';
import type { LayoutChoice, ReadSeries } from '../series/types.ts';
import type { App } from './app.ts';
import { openDocument, type OpenedDocument } from './document.ts';
import { alone, pickMany, pickOne, type Place } from './steps.ts';

interface SeriesItem extends vscode.QuickPickItem {
  readonly series: ReadSeries;
}

/** A series with its first values, so that a wrong reading is seen before it is used. */
function seriesItem(series: ReadSeries): SeriesItem {
  const shown = Math.min(4, series.times.length);
  const rows = Array.from({ length: shown }, (_, row) => {
    const value = series.values[row];
    const time = series.timeKind === 'row' ? `row ${row + 1}` : formatInstant(series.times[row], series.frequency);
    return `${time}: ${Number.isNaN(value) ? 'missing' : value}`;
  });
  return {
    label: series.name,
    description: series.summary,
    detail: `${rows.join('  ')}${shown < series.times.length ? '  …' : ''}`,
    series,
  };
}

/** What the series are for, and which are offered at first: storing and learning take all, a forecast takes one. */
const PURPOSES = {
  forecast: { verb: 'forecast', all: false },
  store: { verb: 'store', all: true },
  learn: { verb: 'learn from', all: true },
} as const;

/** The series of a document to work on; asked for only where there are several. @throws Cancelled */
export async function chooseSeries(
  { fileName, document: { series } }: OpenedDocument,
  place: Place,
  purpose: keyof typeof PURPOSES,
): Promise<readonly ReadSeries[]> {
  if (series.length === 1) return series;
  const { verb, all } = PURPOSES[purpose];
  const items = series.map(seriesItem);
  const picked = all ? items : items.slice(0, 1);
  const chosen = await pickMany({ place, placeholder: `Which series of ${fileName} to ${verb}?`, items, picked });
  return chosen.map((item) => item.series);
}

/** Settles what the file leaves open about how it is to be read. Nothing is asked where it leaves nothing. @throws Cancelled */
export async function settleLayout(app: App, opened: OpenedDocument, title: string): Promise<OpenedDocument> {
  let settled = opened;
  for (const choice of opened.document.choices) {
    if (choice.kind === 'value-columns') continue;
    const items = choice.options.map((option) => ({
      label: option.label,
      detail: option.detail,
      layout: option.layout,
    }));
    const placeholder = `${opened.fileName}: ${choice.question}`;
    const answer = await pickOne({ place: alone(title), placeholder, items, picked: [items[choice.suggested]] });
    const layout: LayoutChoice = { ...settled.layout, ...answer.layout };
    settled = await openDocument(app.reader, opened.uri, { layout });
  }
  return settled;
}
