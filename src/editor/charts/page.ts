import * as vscode from 'vscode';
import { USE_MODEL } from '../../chart/figures.ts';
import { CHANGE_STEPS, SHOW_READING, TAKE_TOTALS } from '../../chart/types.ts';
import { ServiceError } from '../../client/errors.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { isOngoing } from '../../contract/operation.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { toPoints } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { setting, touches } from '../connection/settings.ts';
import { followSeries } from '../files/series-file.ts';
import { forecastWithout, takeTotals } from '../forecast/forecast.ts';
import { changeSteps } from '../forecast/change-steps.ts';
import { COMMANDS, VIEWS } from '../names.ts';
import { withCalendarOf } from '../request/covariates.ts';
import { modelChoices } from '../request/pick-model.ts';
import { inBackground } from '../ui/background.ts';
import { showFailure } from '../ui/failure.ts';
import { columnsOf, offeredTo, askedFor } from '../views/chart/controls.ts';
import { type Exported, exportIntents } from '../views/chart/export.ts';
import { outcomeOf } from '../views/chart/outcome.ts';
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
import {
  AGAIN,
  ChartFacts,
  LAY_OVER,
  OTHER_MODEL,
  RETRY,
  SET_TOKEN,
  seriesKey,
  stateMaker,
  STOP_KEEPING,
} from '../views/chart/state.ts';
import { Latest } from '../views/shared/latest.ts';
import type { Page } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';
import { analysesOf, analyze } from './analyses.ts';
import { ComparisonMaker } from './comparing.ts';
import { markAnomalies } from './mark-anomalies.ts';

/** In longer series anomalies are looked for when that is asked: it takes more than a moment. */
const QUICK = 20_000;

/** What is known of a page before it is read. */
interface ChartStart {
  readonly title?: string | undefined;
  readonly known?: LocalPrediction | undefined;
}

/** What is being found out, of each kind the latest only. */
type Work = 'loading' | 'asking' | 'testing' | Analysis;

/** The page of a prediction: what happens goes through the reducer, and what is to be done is done here. */
export class ChartPage implements Page<ChartState<ChartRef>, ChartIntent> {
  readonly #app: App;
  readonly #changed: () => void;
  readonly #work = new Map<Work, Latest>();
  readonly #comparing: ComparisonMaker;
  /** What is to be laid over the forecast that comes. */
  #toCompare: readonly LocalPrediction[] = [];
  readonly #disposables: vscode.Disposable[];
  #file: vscode.Disposable | undefined;
  #chart: Chart;
  readonly #facts: ChartFacts;
  readonly #stateOf: (chart: Chart) => ChartState<ChartRef>;
  readonly intents: Handlers<ChartIntent>;
  state: ChartState<ChartRef>;

  /** @param title of its tab until it is known @param known the prediction, where it is at hand */
  constructor(app: App, ref: ChartRef, changed: () => void, { title, known }: ChartStart = {}) {
    this.#app = app;
    this.#changed = changed;
    this.#chart = startOf(ref);
    this.#facts = new ChartFacts(app, () => this.#chart);
    this.#stateOf = stateMaker(this.#facts, title ?? vscode.l10n.t('Forecast'));
    this.#comparing = new ComparisonMaker(app, {
      chart: () => this.#chart,
      facts: this.#facts,
      session: () => this.#session(),
      take: (event) => this.#take(event),
    });
    this.intents = this.#handlers();
    this.#disposables = [
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (touches(event, 'timeZone')) this.#show();
      }),
      app.kept.onDidChange(() => this.#show()),
      app.connection.onDidChange(() => {
        if (!this.prediction || isOngoing(this.prediction)) this.#start(this.#load());
      }),
    ];
    this.state = this.#stateOf(this.#chart);
    this.#open(known);
  }

  get ref(): ChartRef {
    return this.#chart.ref;
  }

  get prediction(): LocalPrediction | undefined {
    return this.#chart.prediction;
  }

  /** Identifies the series that other forecasts share with this one; `undefined` if unknown. */
  get series(): string | undefined {
    return seriesKey(this.#facts.note, this.prediction);
  }

  /** Shows another prediction, as that of the same series made again. What was shown stays until it is there. */
  turnTo(ref: PredictionRef, known?: LocalPrediction): void {
    if (ref.serviceId === this.ref.serviceId && ref.predictionId === this.ref.predictionId) return;
    const [one, other] = [this.ref, ref].map((each) => this.#facts.noteOf(each)?.source);
    const isOfFile = one?.uri !== undefined && one.uri === other?.uri && one.id === other.id;
    // pending results of the previous prediction would be applied to the next
    this.#end((work) => work !== 'loading' && !(isOfFile && work === 'testing'));
    this.#take({ type: 'turned', ref, isOfFile });
    this.#open(known);
  }

  /** Lays these over the forecast, once that is there. */
  compareWith(others: readonly LocalPrediction[]): void {
    this.#toCompare = others;
    this.#compareWaiting();
  }

  dispose(): void {
    this.#end(() => true);
    this.#comparing.end();
    this.#file?.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #handlers(): Handlers<ChartIntent> {
    return {
      ...exportIntents(this.#app, () => this.#exported()),
      action: ({ id }) => this.#start(this.#act(id)),
      change: ({ change }) => this.#start(this.#change(change)),
      back: () => {
        const predictionId = this.ref.former.at(-1);
        if (predictionId !== undefined) this.turnTo({ ...this.ref, predictionId });
      },
      analyze: ({ analysis, rarity }) => this.#start(this.#analyze(analysis, rarity)),
      anomalies: ({ do: what }) => this.#start(this.#onAnomalies(what)),
      'test-columns': () => this.#start(this.#testColumns()),
      suppose: (intent) => this.#take(intent),
      compare: (intent) => {
        if (intent.do === 'save') this.#start(this.#comparing.save());
        else if (intent.do !== 'main') this.#take(intent);
        else {
          const made = this.#chart.comparison?.entries.map(({ prediction }) => prediction);
          const main = made?.find((one) => one?.id === intent.id);
          if (main) this.turnTo({ ...this.ref, predictionId: main.id }, main);
        }
      },
    };
  }

  /** Restarts some work and aborts its previous run. */
  #begin(work: Work): AbortSignal {
    const latest = this.#work.get(work) ?? new Latest();
    this.#work.set(work, latest);
    return latest.begin();
  }

  #end(isEnded: (work: Work) => boolean): void {
    for (const [work, latest] of this.#work) if (isEnded(work)) latest.end();
  }

  /** Takes what happened, shows what is so then, and makes what a comparison still needs. */
  #take(event: ChartEvent): void {
    this.#chart = reduce(this.#chart, event, this.#facts.nameOf);
    this.#show();
    this.#comparing.make();
  }

  #show(): void {
    this.state = this.#stateOf(this.#chart);
    this.#changed();
  }

  /** Handles an intent of the person; failures are shown. */
  #start(work: PromiseLike<unknown> | undefined): void {
    const { log } = this.#app;
    inBackground(
      log,
      work?.then(undefined, (error: unknown) => showFailure({ log }, error)),
    );
  }

  #session(): Session {
    const { serviceId } = this.ref;
    const session = this.#app.connection.session(serviceId);
    if (session) return session;
    const gone = vscode.l10n.t(
      'This chart is from {0}, which is no longer set up. Add that service again to see it.',
      serviceId,
    );
    throw new ServiceError('not-found', gone);
  }

  #exported(): Exported | undefined {
    const { prediction, ref } = this.#chart;
    const chart = this.state.shown?.chart;
    if (!prediction || !chart) return undefined;
    const saveFile = () => vscode.commands.executeCommand(COMMANDS.export, { ...named(ref), as: 'file' });
    return { what: 'forecast', chart, prediction, source: this.#facts.note?.source, saveFile };
  }

  // --- the prediction and its file

  #open(known: LocalPrediction | undefined): void {
    this.#file?.dispose();
    const source = this.#facts.note?.source;
    const follower = {
      onChange: (isCurrent: boolean) => this.#take({ type: 'outdated', isCurrent }),
      onSeries: (series: ReadSeries) => this.#start(this.#read(series)),
    };
    this.#file = source && followSeries(this.#app.files, source, follower);
    if (known?.status === 'COMPLETED' && known.input_series) {
      this.#end((work) => work === 'loading');
      this.#taken(known);
    } else this.#start(this.#load(known));
  }

  async #load(known?: LocalPrediction): Promise<void> {
    const signal = this.#begin('loading');
    const { predictionId } = this.ref;
    this.#take({ type: 'loads' });
    try {
      const { client, info, predictions } = this.#session();
      if (known) this.#taken(known);
      if (!known || (!isOngoing(known) && !known.input_series)) {
        const [found] = (await client.findPredictions(new Set([predictionId]), signal)).jobs;
        if (signal.aborted) return;
        if (!found) throw new ServiceError('not-found', vscode.l10n.t('{0} no longer has this prediction.', info.name));
        this.#taken(found);
      }
      if (!this.prediction || !isOngoing(this.prediction)) return;
      const end = predictions.watch(predictionId, {
        onChange: (now) => this.#taken(now),
        onProblem: (problem) => this.#fail(problem),
      });
      signal.addEventListener('abort', end);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #fail(problem: unknown): void {
    this.#app.log.warn(`Chart of ${this.ref.predictionId}: ${String(problem)}`);
    this.#take({ type: 'failed', problem });
  }

  #taken(prediction: LocalPrediction): void {
    this.#take({ type: 'taken', prediction });
    if (!prediction.prediction_series) return;
    this.#hold();
    this.#compareWaiting();
    this.#start(this.#offer(prediction));
  }

  /** The file of the series was read; what the calendar says of its days comes after it. */
  async #read(series: ReadSeries): Promise<void> {
    this.#take({ type: 'read', series });
    this.#hold();
    const { ref, prediction } = this.#chart;
    try {
      const full = await withCalendarOf(this.#app, ref, series, prediction?.prediction_series?.length ?? 1);
      if (this.#chart.series === series) this.#take({ type: 'read', series: full });
    } catch (error) {
      this.#app.log.warn(`The calendar of ${ref.predictionId} is not known: ${String(error)}`);
    }
  }

  /** Holds the forecast against what has come since, which is news for its row. */
  #hold(): void {
    const { ref, prediction, series } = this.#chart;
    const outcome = prediction?.prediction_series && series && outcomeOf(prediction, series);
    if (!outcome || !this.#app.memory.hold(ref.serviceId, prediction.id, outcome.coverage)) return;
    inBackground(this.#app.log, this.#app.trees.get(VIEWS.predictions)?.refresh());
  }

  /** Finds out what can be done with a forecast, and its anomalies if they are quick to compute. */
  async #offer(prediction: LocalPrediction): Promise<void> {
    const { connection, log } = this.#app;
    const signal = this.#begin('asking');
    if (this.ref.serviceId !== connection.current.id) return;
    try {
      const session = this.#session();
      const offers = await session.client.capabilities();
      const models = await modelChoices(this.#app, session);
      if (signal.aborted) return;
      this.#take({ type: 'offers', offers, models, offered: analysesOf(offers) });
      const length = prediction.input_series?.length ?? 0;
      const isQuick = session.info.kind === 'local' && length > 0 && length <= QUICK;
      const isAsked = this.#chart.analyses.anomalies !== undefined;
      if (isQuick && !isAsked && setting('markAnomalies') !== 0 && this.#chart.offered.includes('anomalies'))
        await this.#analyze('anomalies');
    } catch (error) {
      log.warn(`What can be changed of ${prediction.id} is not known: ${String(error)}`);
    }
  }

  // --- what the person does

  #act(id: string): PromiseLike<unknown> | undefined {
    const { ref, state } = this;
    const app = this.#app;
    const { uri, fileName = '' } = this.#facts.note?.source ?? {};
    const command = (name: string, ...of: unknown[]) => vscode.commands.executeCommand(name, ...of);
    const again = (change: object) => command(COMMANDS.forecastAgain, { ...named(ref), ...change });
    if (state.shown?.chart.menu?.some((one) => one.id === id)) return command(`forecasts.${id}`, named(ref));
    if (id.startsWith(USE_MODEL)) return again({ model: id.slice(USE_MODEL.length) });
    const actions: Readonly<Partial<Record<string, () => PromiseLike<unknown> | undefined>>> = {
      [RETRY]: () => this.#load(),
      [SET_TOKEN]: () => command(COMMANDS.setToken),
      [AGAIN]: () => again({}),
      [OTHER_MODEL]: () => again({ isOtherModel: true }),
      [LAY_OVER]: () => {
        const cells = this.#facts.changedAhead;
        if (cells.length > 0) this.#take({ type: 'suppose', name: vscode.l10n.t('As in {0} now', fileName), cells });
        return undefined;
      },
    };
    const ofFile: Readonly<Partial<Record<string, (file: vscode.Uri) => PromiseLike<unknown>>>> = {
      [TAKE_TOTALS]: (file) => takeTotals(app, file),
      [SHOW_READING]: (file) => command(COMMANDS.showReading, file),
      [CHANGE_STEPS]: (file) => changeSteps(app, ref, file),
      [STOP_KEEPING]: (file) => command(COMMANDS.keepUpToDate, file),
    };
    return actions[id]?.() ?? (uri === undefined ? undefined : ofFile[id]?.(vscode.Uri.parse(uri)));
  }

  /** Forecasts with a change, and all else as it is. */
  async #change(change: Change): Promise<void> {
    const { prediction, ref } = this.#chart;
    if (!prediction) return;
    const areColumnsChosen = change.covariates !== undefined;
    const wanted = { covariates: offeredTo(prediction), ...askedFor(prediction), ...change, areColumnsChosen };
    await vscode.commands.executeCommand(COMMANDS.forecastAgain, { ...named(ref), ...wanted });
    // if it failed, the controls show the current forecast again
    this.#show();
  }

  async #analyze<A extends Analysis>(analysis: A, rarity?: number): Promise<void> {
    const { prediction } = this.#chart;
    if (!prediction) return;
    const signal = this.#begin(analysis);
    const found = (what: Found<Analyses[A]>) => {
      if (!signal.aborted) this.#take({ type: 'found', analysis, found: what } as ChartEvent);
    };
    found('asked');
    try {
      const { note } = this.#facts;
      const ways = { canMark: note?.source?.uri !== undefined, canLeaveOut: this.#chart.offers !== undefined };
      found({ view: await analyze(analysis, { client: this.#session().client, prediction, rarity, ways, signal }) });
    } catch (error) {
      found({ problem: error instanceof Error ? error.message : String(error) });
    }
  }

  async #onAnomalies(what: 'leave-out' | 'mark'): Promise<void> {
    const { prediction, ref, analyses } = this.#chart;
    const { anomalies } = analyses;
    if (!prediction || typeof anomalies !== 'object' || !('view' in anomalies)) return;
    const { points } = anomalies.view;
    if (what === 'mark') await markAnomalies(this.#app, ref, points);
    else await forecastWithout(this.#app, ref, prediction, new Set(points.map(({ time }) => time)));
  }

  /** Finds out which columns of the file help. */
  async #testColumns(): Promise<void> {
    const { prediction, series } = this.#chart;
    if (!prediction || !series) return;
    const names = columnsOf([series]).map(({ name }) => name);
    const { ai_model_id: model } = prediction;
    const signal = this.#begin('testing');
    try {
      const request = { series: toPoints(lastPoints(series), names), ...(model ? { ai_model_id: model } : {}) };
      const { covariates } = await this.#session().client.do('testCovariates', { body: request, signal });
      if (!signal.aborted)
        this.#take({ type: 'tested', tests: new Map(covariates.map(({ name, helps }) => [name, helps])) });
    } catch (error) {
      if (!signal.aborted) this.#app.log.warn(`Columns of ${prediction.id} are not tested: ${String(error)}`);
    }
  }

  #compareWaiting(): void {
    const others = this.#toCompare;
    if (others.length === 0 || !this.prediction?.prediction_series) return;
    this.#toCompare = [];
    this.#take({ type: 'compare-with', others });
  }
}

const named = ({ serviceId, predictionId }: PredictionRef) => ({ serviceId, predictionId });
