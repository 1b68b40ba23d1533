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

/** The series of a document to work on; asked for only where there are several. @throws Cancelled */
export async function chooseSeries(
  opened: OpenedDocument,
  place: Place,
  purpose: string,
): Promise<readonly ReadSeries[]> {
  const { series } = opened.document;
  if (series.length === 1) return series;
  const items = series.map(seriesItem);
  const chosen = await pickMany({
    place,
    placeholder: `Which series of ${opened.fileName} to ${purpose}?`,
    items,
    picked: items.slice(0, 1),
  });
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
