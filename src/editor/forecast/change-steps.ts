import * as vscode from 'vscode';
import { approximateStep, type Frequency, type FrequencyUnit } from '../../calendar/frequency.ts';
import { describeFrequency, describeOpenTime } from '../../calendar/words.ts';
import type { Aggregate, LayoutChoice, ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { type OpenedDocument, openAsBefore } from '../files/document.ts';
import { COMMANDS } from '../names.ts';
import { pickOne, runSteps } from '../ui/steps.ts';
import { forecastDocument } from './forecast.ts';

const TITLE = vscode.l10n.t('Steps');

interface StepItem extends vscode.QuickPickItem {
  /** What it changes of the reading; absent for the page that shows all of it. */
  readonly layout?: LayoutChoice;
  /** The step that rows are put together to. */
  readonly step?: Frequency;
}

interface AggregateItem extends vscode.QuickPickItem {
  readonly by: Aggregate;
}

interface Answers {
  readonly step: StepItem | undefined;
  readonly by: AggregateItem | undefined;
}

/**
 * Asks for the steps that a file is forecast at, with what becomes of the values within one, and whether closed time is
 * left out, and forecasts it so from then on.
 * @throws Cancelled, SeriesError, ServiceError
 */
export async function changeSteps(app: App, uri: vscode.Uri): Promise<void> {
  const { opened, chosen } = await openAsBefore(app, uri);
  const asInFile = await asWritten(opened);
  const taken = opened.document.series[0]?.aggregate;
  const items = itemsOf(asInFile, opened.layout, taken?.step.unit);
  const { step, by } = await runSteps<Answers>(TITLE, { step: undefined, by: undefined }, [
    async (_state, place) => ({
      step: await pickOne({
        place,
        placeholder: vscode.l10n.t('At which steps is {0} to be forecast?', opened.fileName),
        items,
        picked: items.filter((item) => (taken ? item.step?.unit === taken.step.unit : item.layout?.aggregate === null)),
      }),
    }),
    async (state, place) => {
      if (!state.step?.step) return {};
      const ways = aggregates();
      const placeholder = vscode.l10n.t('What becomes of the values within a step?');
      const picked = ways.filter((way) => way.by === (taken?.by ?? 'mean'));
      return { by: await pickOne({ place, placeholder, items: ways, picked }) };
    },
  ]);
  if (!step?.layout && !step?.step) {
    await vscode.commands.executeCommand(COMMANDS.showReading, uri);
    return;
  }
  const wanted = step.step && by ? { aggregate: { step: step.step, by: by.by } } : step.layout;
  await forecastDocument(app, await opened.again({ layout: { ...opened.layout, ...wanted } }), chosen);
}

/** The first series at the steps of its rows. */
async function asWritten(opened: OpenedDocument): Promise<ReadSeries | undefined> {
  const [first] = opened.document.series;
  if (!first?.aggregate) return first;
  const { document } = await opened.again({ layout: { ...opened.layout, aggregate: null } });
  return document.series.find(({ id }) => id === first.id) ?? document.series[0];
}

const LONGER: readonly (readonly [FrequencyUnit, () => string])[] = [
  ['hour', () => vscode.l10n.t('Per Hour')],
  ['day', () => vscode.l10n.t('Per Day')],
  ['week', () => vscode.l10n.t('Per Week')],
  ['month', () => vscode.l10n.t('Per Month')],
  ['quarter', () => vscode.l10n.t('Per Quarter')],
  ['year', () => vscode.l10n.t('Per Year')],
];

/** Fewer steps are too few to forecast from. */
const FEWEST_STEPS = 4;

/** The steps longer than that of the rows, of which there are enough, and what is done with closed time. */
function itemsOf(series: ReadSeries | undefined, layout: LayoutChoice, taken: FrequencyUnit | undefined): StepItem[] {
  const { frequency, times, timeKind } = series ?? {};
  const span = (times?.at(-1) ?? 0) - (times?.[0] ?? 0);
  const steps = LONGER.flatMap(([unit, label]): StepItem[] => {
    const step: Frequency = { unit, count: 1 };
    const length = approximateStep(step);
    const isLonger = !frequency || length > 1.5 * approximateStep(frequency);
    const isOffered = timeKind !== 'row' && isLonger && span >= FEWEST_STEPS * length;
    return isOffered || unit === taken ? [{ label: label(), step }] : [];
  });
  const rows: StepItem = {
    label: vscode.l10n.t('As in the File'),
    layout: { aggregate: null },
    ...(frequency ? { description: describeFrequency(frequency) } : {}),
  };
  return [rows, ...steps, ...closedItems(frequency, layout), { label: vscode.l10n.t('How the File Is Read…') }];
}

function closedItems(frequency: Frequency | undefined, { closed }: LayoutChoice): StepItem[] {
  if (closed === false) return [{ label: vscode.l10n.t('Leave Closed Time Out'), layout: { closed: true } }];
  if (!frequency?.open) return [];
  const description = vscode.l10n.t('open: {0}', describeOpenTime(frequency.open));
  return [{ label: vscode.l10n.t('Count Closed Time as Missing'), description, layout: { closed: false } }];
}

const aggregates = (): AggregateItem[] => [
  { by: 'sum', label: vscode.l10n.t('Sum') },
  { by: 'mean', label: vscode.l10n.t('Average') },
  { by: 'last', label: vscode.l10n.t('Last') },
  { by: 'min', label: vscode.l10n.t('Lowest') },
  { by: 'max', label: vscode.l10n.t('Highest') },
  { by: 'count', label: vscode.l10n.t('Count') },
];
