import * as vscode from 'vscode';
import { USE_MODEL } from '../../chart/figures.ts';
import { CHANGE_STEPS, SHOW_READING, TAKE_TOTALS } from '../../chart/types.ts';
import { ServiceError } from '../../client/errors.ts';
import { isOngoing, type LocalPrediction } from '../../contract/resources.ts';
import { lastPoints } from '../../reading/last-points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { type Session, sessionOf } from '../connection/connection.ts';
import { setting, touches } from '../connection/settings.ts';
import { followSeries } from '../files/series-file.ts';
import { changeSteps, forecastWithout, takeTotals } from '../forecast/forecast.ts';
import { COMMANDS, VIEWS } from '../names.ts';
import { calendarFor, testColumns } from '../request/covariates.ts';
import { modelChoices } from '../request/pick-model.ts';
import { inBackground } from '../ui/say.ts';
import { analysesOf, analyze } from '../views/chart/analyses.ts';
import {
  AGAIN,
  ChartViewer,
  columnsOf,
  intervalLevels,
  LAY_OVER,
  offeredTo,
  OTHER_MODEL,
  RETRY,
  seriesKey,
  SET_TOKEN,
  STOP_KEEPING,
} from '../views/chart/state.ts';
import { type Exported, exportIntents } from '../views/chart/export.ts';
import { forecastFileOf } from '../views/chart/forecast-file.ts';
import { outcomeOf } from '../views/chart/comparison.ts';
import type {
  Analyses,
  Analysis,
  Change,
  ChartIntent,
  ChartRef,
  ChartState,
  Found,
  PredictionRef,
} from '../views/chart/protocol.ts';
import { type Chart, type ChartEvent, reduce, startOf } from '../views/chart/reducer.ts';
import { Latest, WorkingPage } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';
import { ComparisonMaker } from './comparing.ts';
import { markAnomalies } from './mark-anomalies.ts';

/** Anomalies of longer series are computed only on request. */
const QUICK = 20_000;

type Work = 'loading' | 'offers' | 'testing' | Analysis;

export class ChartPage extends WorkingPage<ChartState<ChartRef>, ChartIntent> {
  readonly #work = new Map<Work, Latest>();
  readonly #comparing: ComparisonMaker;
  readonly #viewer: ChartViewer;
  #file: vscode.Disposable | undefined;
  #chart: Chart;
  #toCompare: readonly LocalPrediction[] = [];
  readonly intents: Handlers<ChartIntent>;

  constructor(
    app: App,
    changed: () => void,
    { ref, known, title }: { ref: ChartRef; known?: LocalPrediction | undefined; title?: string | undefined },
  ) {
    const viewer = new ChartViewer(app, title ?? vscode.l10n.t('Forecast'));
    const chart = startOf(ref);
    super(app, changed, viewer.stateOf(chart));
    this.#chart = chart;
    this.#viewer = viewer;
    this.#comparing = new ComparisonMaker(app, (event) => this.#take(event));
    this.intents = this.#handlers();
    this.disposables.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (touches(event, 'timeZone')) this.#show();
      }),
      app.kept.onDidChange(() => this.#show()),
      app.connection.onDidChange(() => {
        if (!this.prediction || isOngoing(this.prediction)) this.start(this.#load());
      }),
    );
    this.#open(known);
  }

  get ref(): ChartRef {
    return this.#chart.ref;
  }

  get prediction(): LocalPrediction | undefined {
    return this.#chart.prediction;
  }

  get series(): string | undefined {
    return seriesKey(this.#viewer.noteOf(this.ref), this.prediction);
  }

  /** Shows another prediction. The former one stays visible until it is loaded. */
  show(ref: PredictionRef, known?: LocalPrediction): void {
    if (ref.serviceId === this.ref.serviceId && ref.predictionId === this.ref.predictionId) return;
    const [before, now] = [this.ref, ref].map((each) => this.#viewer.noteOf(each)?.source);
    const isOfFile = before?.uri !== undefined && before.uri === now?.uri && before.id === now.id;
    // pending results of the former prediction would be applied to the next
    this.#end((work) => work !== 'loading' && !(isOfFile && work === 'testing'));
    this.#take({ type: 'show', ref, isOfFile });
    this.#open(known);
  }

  compareWith(others: readonly LocalPrediction[]): void {
    this.#toCompare = others;
    this.#comparePending();
  }

  override dispose(): void {
    super.dispose();
    this.#end(() => true);
    this.#comparing.end();
    this.#file?.dispose();
  }

  #handlers(): Handlers<ChartIntent> {
    return {
      ...exportIntents(this.app, () => this.#exported()),
      action: ({ id }) => this.start(this.#act(id)),
      change: ({ change }) => this.start(this.#change(change)),
      back: () => {
        const predictionId = this.ref.former?.at(-1);
        if (predictionId !== undefined) this.show({ ...this.ref, predictionId });
      },
      analyze: ({ analysis, rarity }) => this.start(this.#analyze(analysis, rarity)),
      anomalies: ({ do: what }) => this.start(this.#onAnomalies(what)),
      'test-columns': () => this.start(this.#testColumns()),
      suppose: (intent) => this.#take(intent),
      compare: (intent) => {
        const { do: what, id } = intent;
        const main = this.#chart.comparison?.entries.find(({ prediction }) => prediction?.id === id)?.prediction;
        if (what === 'save') this.start(this.#comparing.save(this.#chart));
        else if (what !== 'main') this.#take(intent);
        else if (main) this.show({ ...this.ref, predictionId: id }, main);
      },
    };
  }

  #begin(work: Work): AbortSignal {
    const latest = this.#work.get(work) ?? new Latest();
    this.#work.set(work, latest);
    return latest.begin();
  }

  #end(isEnded: (work: Work) => boolean): void {
    for (const [work, latest] of this.#work) if (isEnded(work)) latest.end();
  }

  #take(event: ChartEvent): void {
    this.#chart = reduce(this.#chart, event, this.#viewer.nameOf(this.#chart));
    this.#show();
    this.#comparing.make(this.#chart);
  }

  #know(facts: (ChartEvent & { type: 'known' })['facts']): void {
    this.#take({ type: 'known', facts });
  }

  #show(): void {
    this.set(this.#viewer.stateOf(this.#chart));
  }

  #session(): Session {
    return sessionOf(this.app.connection, this.ref.serviceId);
  }

  #exported(): Exported | undefined {
    const { prediction, ref } = this.#chart;
    const chart = this.state.shown?.chart;
    if (!prediction || !chart) return undefined;
    const note = this.#viewer.noteOf(ref);
    return { what: 'forecast', chart, prediction, source: note?.source, file: () => forecastFileOf(prediction, note) };
  }

  #open(known: LocalPrediction | undefined): void {
    this.#file?.dispose();
    const source = this.#viewer.noteOf(this.ref)?.source;
    this.#file =
      source &&
      followSeries(this.app.files, source, {
        onChange: (isCurrent) => this.#know({ isCurrent }),
        onSeries: (series) => this.start(this.#read(series)),
      });
    if (known?.status === 'COMPLETED' && known.input_series) {
      this.#end((work) => work === 'loading');
      this.#loaded(known);
    } else this.start(this.#load(known));
  }

  async #load(known?: LocalPrediction): Promise<void> {
    const signal = this.#begin('loading');
    const { predictionId } = this.ref;
    this.#know({ problem: undefined });
    try {
      const { client, info, predictions } = this.#session();
      if (known) this.#loaded(known);
      if (!known || (!isOngoing(known) && !known.input_series)) {
        const [found] = (await client.findPredictions(new Set([predictionId]), signal)).jobs;
        if (signal.aborted) return;
        if (!found) throw new ServiceError('not-found', vscode.l10n.t('{0} no longer has this prediction.', info.name));
        this.#loaded(found);
      }
      if (!this.prediction || !isOngoing(this.prediction)) return;
      const end = predictions.watch(predictionId, {
        onChange: (now) => this.#loaded(now),
        onProblem: (problem) => this.#fail(problem),
      });
      signal.addEventListener('abort', end);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #fail(problem: unknown): void {
    this.app.log.warn(`Chart of ${this.ref.predictionId}: ${String(problem)}`);
    this.#know({ problem });
  }

  #loaded(prediction: LocalPrediction): void {
    this.#take({ type: 'loaded', prediction });
    if (!prediction.prediction_series) return;
    this.#keepOutcome();
    this.#comparePending();
    this.start(this.#findOffers(prediction));
  }

  async #read(series: ReadSeries): Promise<void> {
    this.#know({ series });
    this.#keepOutcome();
    const { ref, prediction } = this.#chart;
    const uri = this.#viewer.noteOf(ref)?.source?.uri;
    if (uri === undefined) return;
    try {
      const calendar = await calendarFor(this.app, vscode.Uri.parse(uri));
      const full = await calendar.extend(lastPoints(series), prediction?.prediction_series?.length ?? 1);
      if (this.#chart.series === series) this.#know({ series: full });
    } catch (error) {
      this.app.log.warn(`The calendar of ${ref.predictionId} is not known: ${String(error)}`);
    }
  }

  #keepOutcome(): void {
    const { ref, prediction, series } = this.#chart;
    const outcome = prediction?.prediction_series && series && outcomeOf(prediction, series);
    if (!outcome || !this.app.memory.keepCoverage(ref.serviceId, prediction.id, outcome.coverage)) return;
    inBackground(this.app.log, this.app.trees.get(VIEWS.predictions)?.refresh());
  }

  async #findOffers({ id, input_series: points }: LocalPrediction): Promise<void> {
    const { connection, log } = this.app;
    const signal = this.#begin('offers');
    if (this.ref.serviceId !== connection.current.id) return;
    try {
      const session = this.#session();
      const offers = await session.client.capabilities();
      const models = await modelChoices(this.app, session);
      if (signal.aborted) return;
      const offered = analysesOf(offers);
      this.#know({ offers, models, offered });
      const length = points?.length ?? 0;
      const isQuick = session.info.kind === 'local' && length > 0 && length <= QUICK;
      const isRequested = this.#chart.analyses.anomalies !== undefined;
      if (isQuick && !isRequested && setting('markAnomalies') !== 0 && offered.includes('anomalies'))
        await this.#analyze('anomalies');
    } catch (error) {
      log.warn(`What can be changed of ${id} is not known: ${String(error)}`);
    }
  }

  #act(id: string): PromiseLike<unknown> | undefined {
    const app = this.app;
    const { ref } = this;
    const { uri, fileName = '' } = this.#viewer.noteOf(ref)?.source ?? {};
    const file = uri === undefined ? undefined : vscode.Uri.parse(uri);
    const command = (name: string, argument?: unknown) => vscode.commands.executeCommand(name, argument);
    const again = (change: object) => command(COMMANDS.forecastAgain, { ...named(ref), ...change });
    if (this.state.shown?.chart.menu?.some((one) => one.id === id)) return command(`forecasts.${id}`, named(ref));
    if (id.startsWith(USE_MODEL)) return again({ model: id.slice(USE_MODEL.length) });
    switch (id) {
      case RETRY:
        return this.#load();
      case SET_TOKEN:
        return command(COMMANDS.setToken);
      case AGAIN:
        return again({});
      case OTHER_MODEL:
        return again({ isOtherModel: true });
      case LAY_OVER: {
        const cells = this.#viewer.changedAhead(this.#chart);
        if (cells.length > 0) this.#take({ type: 'suppose', name: vscode.l10n.t('As in {0} now', fileName), cells });
        return undefined;
      }
      case TAKE_TOTALS:
        return file && takeTotals(app, file);
      case SHOW_READING:
        return file && command(COMMANDS.showReading, file);
      case CHANGE_STEPS:
        return file && changeSteps(app, ref, file);
      case STOP_KEEPING:
        return file && command(COMMANDS.keepUpToDate, file);
      default:
        return undefined;
    }
  }

  async #change(change: Change): Promise<void> {
    const { prediction, ref } = this.#chart;
    if (!prediction) return;
    const { ai_model_id: model, prediction_series: ahead } = prediction;
    const intervals = intervalLevels(prediction);
    await vscode.commands.executeCommand(COMMANDS.forecastAgain, {
      ...named(ref),
      covariates: offeredTo(prediction),
      ...(model === undefined ? {} : { model }),
      ...(ahead ? { horizon: ahead.length } : {}),
      ...(intervals.length > 0 ? { intervals } : {}),
      ...change,
      areColumnsChosen: change.covariates !== undefined,
    });
    // after a failure, the controls show the current forecast again
    this.#show();
  }

  async #analyze<A extends Analysis>(analysis: A, rarity?: number): Promise<void> {
    const { prediction, ref, offers } = this.#chart;
    if (!prediction) return;
    const signal = this.#begin(analysis);
    const found = (what: Found<Analyses[A]>) => {
      if (!signal.aborted) this.#take({ type: 'found', analysis, found: what } as ChartEvent);
    };
    found('asked');
    try {
      const canMark = this.#viewer.noteOf(ref)?.source?.uri !== undefined;
      const possible = { canMark, canLeaveOut: offers !== undefined };
      const { client } = this.#session();
      found({ view: await analyze(analysis, { client, prediction, rarity, possible, signal }) });
    } catch (error) {
      found({ problem: error instanceof Error ? error.message : String(error) });
    }
  }

  async #onAnomalies(what: 'leave-out' | 'mark'): Promise<void> {
    const { prediction, ref, analyses } = this.#chart;
    const { anomalies } = analyses;
    if (!prediction || typeof anomalies !== 'object' || !('view' in anomalies)) return;
    const { points } = anomalies.view;
    if (what === 'mark') await markAnomalies(this.app, ref, points);
    else await forecastWithout(this.app, ref, prediction, new Set(points.map(({ time }) => time)));
  }

  async #testColumns(): Promise<void> {
    const { prediction, series } = this.#chart;
    if (!prediction || !series) return;
    const names = columnsOf([series]).map(({ name }) => name);
    const signal = this.#begin('testing');
    try {
      const tests = await testColumns(this.#session().client, series, names, { model: prediction.ai_model_id, signal });
      if (!signal.aborted) this.#know({ tests });
    } catch (error) {
      if (!signal.aborted) this.app.log.warn(`Columns of ${prediction.id} are not tested: ${String(error)}`);
    }
  }

  #comparePending(): void {
    const others = this.#toCompare;
    if (others.length === 0 || !this.prediction?.prediction_series) return;
    this.#toCompare = [];
    this.#take({ type: 'compare-with', others });
  }
}

const named = ({ serviceId, predictionId }: PredictionRef) => ({ serviceId, predictionId });
