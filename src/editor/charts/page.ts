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
import { inBackground, sentenceOf } from '../ui/say.ts';
import { ANALYSES, type Analyses, analysesOf, type Analysis, analyze } from '../views/chart/analyses.ts';
import { comparedTable, type Comparison, type Entry, outcomeOf } from '../views/chart/comparison.ts';
import { columnsOf, intervalLevels, offeredTo } from '../views/chart/controls.ts';
import { type Exported, exportIntents, nameParts, saveAs } from '../views/chart/export.ts';
import { forecastFileOf } from '../views/chart/forecast-file.ts';
import type { Change, ChartIntent, ChartRef, ChartState, Found, PredictionRef } from '../views/chart/protocol.ts';
import { type Chart, type ChartEvent, reduce, startOf } from '../views/chart/reducer.ts';
import {
  AGAIN,
  ChartViewer,
  LAY_OVER,
  OTHER_MODEL,
  RETRY,
  seriesKey,
  SET_TOKEN,
  STOP_KEEPING,
} from '../views/chart/state.ts';
import { Latest, WorkingPage } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';
import { fill, otherForecasts } from './comparing.ts';
import { markAnomalies } from './mark-anomalies.ts';

/** Anomalies of longer series are computed only on request. */
const QUICK = 20_000;

/** Of a comparison: the search for others, and each of its entries. */
type Work = 'loading' | 'offers' | 'testing' | Analysis | 'others' | `entry:${string}`;

export class ChartPage extends WorkingPage<ChartState<ChartRef>, ChartIntent> {
  readonly #work = new Map<Work, Latest>();
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
    for (const work of ['offers', ...ANALYSES, ...(isOfFile ? [] : ['testing'])] as Work[]) this.#work.get(work)?.end();
    this.#take({ type: 'show', ref, isOfFile });
    this.#open(known);
  }

  compareWith(others: readonly LocalPrediction[]): void {
    this.#toCompare = others;
    this.#comparePending();
  }

  override dispose(): void {
    super.dispose();
    for (const work of this.#work.values()) work.end();
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
        if (what === 'save') this.start(this.#save());
        else if (what !== 'main') this.#take({ ...intent, do: what });
        else if (main) this.show({ ...this.ref, predictionId: id }, main);
      },
    };
  }

  #begin(work: Work): AbortSignal {
    const latest = this.#work.get(work) ?? new Latest();
    this.#work.set(work, latest);
    return latest.begin();
  }

  #take(event: ChartEvent): void {
    const { comparison: before } = this.#chart;
    this.#chart = reduce(this.#chart, event);
    this.#show();
    const { comparison: now } = this.#chart;
    if (now === before) return;
    const isIn = (comparison: Comparison | undefined, { key }: Entry) =>
      comparison?.entries.some((entry) => entry.key === key);
    if (!now) this.#work.get('others')?.end();
    for (const entry of before?.entries ?? []) if (!isIn(now, entry)) this.#work.get(`entry:${entry.key}`)?.end();
    if (now && !before) inBackground(this.app.log, this.#findOthers());
    for (const entry of now?.entries ?? []) if (!isIn(before, entry)) inBackground(this.app.log, this.#fill(entry));
  }

  async #findOthers(): Promise<void> {
    const signal = this.#begin('others');
    try {
      const others = await otherForecasts(this.app, this.#chart, signal);
      if (!signal.aborted) this.#take({ type: 'others', others });
    } catch (error) {
      if (!signal.aborted) this.#warn('Comparison', error);
    }
  }

  async #fill(entry: Entry): Promise<void> {
    const { key } = entry;
    const signal = this.#begin(`entry:${key}`);
    try {
      for await (const result of fill(this.app, this.#chart, entry, signal))
        if (!signal.aborted) this.#take({ type: 'entry', key, result });
    } catch (error) {
      if (signal.aborted) return;
      this.#warn('Comparison', error);
      this.#take({ type: 'entry', key, result: { sentence: sentenceOf(error) } });
    }
  }

  async #save(): Promise<void> {
    const rows = this.state.compared?.rows ?? [];
    const made = this.#chart.comparison?.entries.flatMap(({ prediction }, index) =>
      prediction ? [{ label: rows[index].label, prediction }] : [],
    );
    if (!made?.length) return;
    const { label = made[0].label, source } = this.#viewer.noteOf(this.ref) ?? {};
    const parts = [...nameParts(label), vscode.l10n.t('compared')];
    await saveAs(this.app.log, { parts, extension: 'csv' }, comparedTable(made), source?.uri);
  }

  #warn(what: string, problem: unknown): void {
    this.app.log.warn(`${what} of ${this.ref.predictionId}: ${String(problem)}`);
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
      this.#work.get('loading')?.end();
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
    this.#warn('Chart', problem);
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

  async #analyze(analysis: Analysis, rarity?: number): Promise<void> {
    const { prediction, ref, offers } = this.#chart;
    if (!prediction) return;
    const signal = this.#begin(analysis);
    const found = (what: Found<Analyses[Analysis]>) => {
      if (!signal.aborted) this.#take({ type: 'found', analysis, found: what });
    };
    found('asked');
    try {
      const canMark = this.#viewer.noteOf(ref)?.source?.uri !== undefined;
      const possible = { canMark, canLeaveOut: offers !== undefined };
      const { client } = this.#session();
      found({ view: await analyze(analysis, { client, prediction, rarity, possible, signal }) });
    } catch (error) {
      found({ problem: sentenceOf(error) });
    }
  }

  async #onAnomalies(what: 'leave-out' | 'mark'): Promise<void> {
    const { prediction, ref, analyses } = this.#chart;
    const { anomalies } = analyses;
    if (!prediction || typeof anomalies !== 'object' || !('view' in anomalies)) return;
    const { view } = anomalies;
    if (what === 'mark') await markAnomalies(this.app, ref, view);
    else await forecastWithout(this.app, ref, prediction, new Set(view.points.map(({ time }) => time)));
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
