import type { Capabilities } from '../../../client/capabilities.ts';
import type { Backtest } from '../../../contract/local.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import { type Comparison, type NameOf, openedWith, withMain, withEntry, withMade, withScenario } from './comparison.ts';
import type {
  Analyses,
  Analysis,
  ChartIntent,
  ChartRef,
  Found,
  FoundAnalyses,
  ModelChoice,
  PredictionRef,
} from './protocol.ts';
import { scenarioName, supposedSeries } from './scenario.ts';
import type { Supposed } from './protocol.ts';

/** What is known of the prediction of a chart. */
export interface Chart {
  readonly ref: ChartRef;
  /** Absent while it is read. */
  readonly prediction?: LocalPrediction | undefined;
  /** Why it cannot be read. */
  readonly problem?: unknown;
  /** Whether its file still holds the numbers that were forecast. */
  readonly isCurrent: boolean;
  /** The series as its file has it now, with what the calendar says of its days as soon as that is known. */
  readonly series?: ReadSeries | undefined;
  /** Which of its columns helped on a backtest, where that was tested. */
  readonly tests?: ReadonlyMap<string, boolean> | undefined;
  /** What the service in use takes; absent where it is not the one of the prediction, or not known yet. */
  readonly offers?: Capabilities | undefined;
  readonly models: readonly ModelChoice[];
  /** The analyses that it has. */
  readonly offered: readonly Analysis[];
  readonly analyses: FoundAnalyses;
  /** How often one was opened. */
  readonly runs: number;
  readonly comparison?: Comparison | undefined;
}

export const startOf = (ref: ChartRef): Chart => ({
  ref,
  isCurrent: true,
  models: [],
  offered: [],
  analyses: {},
  runs: 0,
});

/** What happens to a chart, besides what the person does on its page. */
export type ChartEvent =
  | Extract<ChartIntent, { readonly type: 'suppose' | 'compare' }>
  /** Another prediction is to be shown. `isOfFile`: of the same series of the same file. */
  | { readonly type: 'turned'; readonly ref: PredictionRef; readonly isOfFile: boolean }
  | { readonly type: 'loads' }
  | { readonly type: 'taken'; readonly prediction: LocalPrediction }
  | { readonly type: 'failed'; readonly problem: unknown }
  | { readonly type: 'outdated'; readonly isCurrent: boolean }
  | { readonly type: 'read'; readonly series: ReadSeries }
  | {
      readonly type: 'offers';
      readonly offers: Capabilities;
      readonly models: readonly ModelChoice[];
      readonly offered: readonly Analysis[];
    }
  | { readonly type: 'tested'; readonly tests: ReadonlyMap<string, boolean> }
  | { [A in Analysis]: { readonly type: 'found'; readonly analysis: A; readonly found: Found<Analyses[A]> } }[Analysis]
  /** Others of the series are laid over it, and nothing else. */
  | { readonly type: 'compare-with'; readonly others: readonly LocalPrediction[] }
  | { readonly type: 'others'; readonly others: readonly LocalPrediction[] }
  /** An entry of the comparison was made, tested, or could not be. */
  | { readonly type: 'made'; readonly key: string; readonly prediction: LocalPrediction; readonly isScenario: boolean }
  | { readonly type: 'scored'; readonly key: string; readonly backtest: Backtest }
  | { readonly type: 'not-made'; readonly key: string; readonly sentence: string };

/** More steps back than this are not kept. */
const MOST_FORMER = 20;

/** @param nameOf what a prediction is called among others of its series */
export function reduce(chart: Chart, event: ChartEvent, nameOf: NameOf): Chart {
  const { prediction, comparison } = chart;
  switch (event.type) {
    case 'turned':
      return withPrediction(chart, event.ref, event.isOfFile);
    case 'loads':
      return { ...chart, problem: undefined };
    case 'taken':
      return taken(chart, event.prediction, nameOf);
    case 'failed':
      return { ...chart, problem: event.problem };
    case 'outdated':
      return { ...chart, isCurrent: event.isCurrent };
    case 'read':
      return { ...chart, series: event.series };
    case 'offers': {
      const { type: _, ...known } = event;
      return { ...chart, ...known };
    }
    case 'tested':
      return { ...chart, tests: event.tests };
    case 'found':
      return { ...chart, analyses: { ...chart.analyses, [event.analysis]: event.found } };
    case 'suppose':
      return prediction ? supposed(chart, prediction, event, nameOf) : chart;
    case 'compare':
      return prediction ? { ...chart, ...compared(chart, prediction, event, nameOf) } : chart;
    case 'compare-with': {
      if (!prediction) return chart;
      const opened = open(chart, prediction, nameOf);
      const all = event.others.reduce(
        (now, { id, ...one }) => withEntry(now, id, { label: nameOf({ id, ...one }), make: { id } }),
        opened.comparison,
      );
      return { ...chart, ...opened, comparison: all };
    }
    case 'others':
      return comparison ? { ...chart, comparison: { ...comparison, others: event.others } } : chart;
    case 'made':
    case 'scored':
    case 'not-made': {
      const { type: _, key, ...parts } = event;
      return comparison ? { ...chart, comparison: withMade(comparison, key, parts) } : chart;
    }
  }
}

function withPrediction(chart: Chart, { serviceId, predictionId }: PredictionRef, isOfFile: boolean): Chart {
  const { ref, series, tests, comparison } = chart;
  const isOtherService = ref.serviceId !== serviceId;
  const isBack = ref.former.at(-1) === predictionId;
  const before = isBack ? ref.former.slice(0, -1) : [...ref.former, ref.predictionId].slice(-MOST_FORMER);
  return {
    ...chart,
    ref: { serviceId, predictionId, former: isOtherService ? [] : before },
    prediction: undefined,
    problem: undefined,
    isCurrent: true,
    series: isOfFile ? series : undefined,
    tests: isOfFile ? tests : undefined,
    comparison: isOtherService ? undefined : comparison,
  };
}

function taken(chart: Chart, prediction: LocalPrediction, nameOf: NameOf): Chart {
  const { comparison } = chart;
  const isNew = chart.prediction === undefined;
  const now = { ...chart, prediction, problem: undefined, ...(isNew ? { analyses: {} } : {}) };
  const isCompared = comparison && prediction.prediction_series;
  return isCompared ? { ...now, comparison: withMain(comparison, prediction, nameOf) } : now;
}

const open = ({ runs }: Chart, main: LocalPrediction, nameOf: NameOf) => ({
  runs: runs + 1,
  comparison: openedWith(runs + 1, main, nameOf),
});

function compared(
  chart: Chart,
  main: LocalPrediction,
  { do: what, id }: ChartIntent & { type: 'compare' },
  nameOf: NameOf,
): Partial<Chart> {
  const { comparison, models } = chart;
  if (what === 'open') return open(chart, main, nameOf);
  if (!comparison) return {};
  const other = comparison.others.find((one) => one.id === id);
  switch (what) {
    case 'close':
      return { comparison: undefined };
    case 'add-model': {
      const label = models.find((model) => model.id === id)?.label ?? id;
      const make = { from: main, model: id, horizon: main.prediction_series?.length ?? 1 };
      return { comparison: withEntry(comparison, `model:${id}`, { label, model: id, make }) };
    }
    case 'add-prediction':
      return other ? { comparison: withEntry(comparison, id, { label: nameOf(other), make: { id } }) } : {};
    case 'remove':
      return {
        comparison: {
          ...comparison,
          entries: comparison.entries.filter((one) => (one.prediction?.id ?? one.key) !== id),
        },
      };
    case 'save':
    case 'main':
      return {};
  }
}

function supposed(
  chart: Chart,
  from: LocalPrediction,
  { name, cells }: { readonly name: string; readonly cells: readonly Supposed[] },
  nameOf: NameOf,
): Chart {
  const { comparison, ...opened } = chart.comparison ? { comparison: chart.comparison } : open(chart, from, nameOf);
  const scenario = { name: name.trim() || scenarioName(cells), series: supposedSeries(from, cells) };
  return { ...chart, ...opened, comparison: withScenario(comparison, scenario, from) };
}
