import * as vscode from 'vscode';
import { USE_MODEL } from '../../chart/chart-view.ts';
import { ServiceError } from '../../client/errors.ts';
import { isOngoing, type LocalPrediction } from '../../contract/resources.ts';
import { lastPoints } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App, Charts } from '../app.ts';
import { type Session, sessionOf } from '../connection/connection.ts';
import { COMMANDS, onSetting, setting, VIEWS } from '../names.ts';
import { followSeries } from '../files/series-file.ts';
import { changeSteps, forecastAgain, forecastWithout } from '../forecast/again.ts';
import { finished, makeForecast, NO_CHART, readOne, sentOf, takeTotals } from '../forecast/forecast.ts';
import type { Note } from '../connection/memory.ts';
import { calendarFor, testColumns } from '../request/covariates.ts';
import { modelChoices } from '../request/pick-model.ts';
import { inBackground, sentenceOf } from '../ui/say.ts';
import { ANALYSES, type Analyses, analysesOf, type Analysis, analyze, markAnomalies } from '../views/chart/analyses.ts';
import { comparedTable, type Comparison, type Entry, outcomeOf } from '../views/chart/comparison.ts';
import { columnsOf, intervalLevels, offeredTo } from '../views/chart/controls.ts';
import { type Exported, exportIntents, forecastFileOf, saveAs } from '../views/chart/export.ts';
import type { Change, ChartState, Found, PredictionRef } from '../views/chart/protocol.ts';
import { ChartIntent, ChartRef, EMPTY } from '../views/chart/protocol.ts';
import * as charts from '../views/chart/state.ts';
import { type Owner, Page, PageHost } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';

/** Anomalies of longer series are computed only on request. */
const QUICK = 20_000;
const MOST_SEARCHED = 50; // for other forecasts of the series of a chart

type Work = 'loading' | 'calendar' | 'offers' | 'testing' | Analysis | 'others' | `entry:${string}`;
type Take = (parts: Partial<charts.Chart>) => void;

export class ChartPage extends Page<ChartState<ChartRef>, ChartIntent> {
  readonly #viewOf: ReturnType<typeof charts.chartViewer>;
  #chart: charts.Chart;
  readonly intents: Handlers<ChartIntent> = {
    ...exportIntents(this.app, () => this.#exported(), this.start.bind(this)),
    action: ({ id }) => this.start(() => this.#act(id)),
    change: ({ change }) => this.start(() => this.#change(change)),
    back: () => {
      const predictionId = this.state.ref.former?.at(-1);
      if (predictionId !== undefined) this.show({ ...this.state.ref, predictionId });
    },
    analyze: ({ analysis, rarity }) => this.start(() => this.#analyze(analysis, rarity)),
    'test-columns': () => this.start(() => this.#testColumns()),
    suppose: (intent) => this.#take(charts.supposing(this.#chart, intent)),
    compare: (intent) => {
      const { do: what, id } = intent;
      const main = this.#chart.comparison?.entries.find(({ prediction }) => prediction?.id === id)?.prediction;
      if (what === 'save') this.start(() => this.#save());
      else if (what !== 'main') this.#take(charts.compared(this.#chart, intent));
      else if (main) this.show({ ...this.state.ref, predictionId: id }, main);
    },
  };
  since = 0; // when what is shown was chosen, in milliseconds

  constructor(owner: Owner, ref: ChartRef, known?: LocalPrediction, title?: string) {
    super(owner, { ...EMPTY, ref, title: title ?? vscode.l10n.t('Forecast') });
    this.#chart = charts.startOf(ref);
    this.#viewOf = charts.chartViewer(this.app);
    this.disposables.push(
      onSetting('timeZone', () => this.#show()),
      this.app.kept.onDidChange(() => this.#show()),
      this.app.connection.onDidChange(() => {
        if (!this.#chart.prediction || isOngoing(this.#chart.prediction)) this.start(() => this.#load());
      }),
    );
    this.#open(known);
  }

  get series(): string | undefined {
    return charts.seriesKey(this.#noteOf(this.state.ref), this.#chart.prediction);
  }

  /** Shows another prediction, unless it was asked for before the one that is shown. The former one stays until it is loaded. */
  override show(ref: PredictionRef, known?: LocalPrediction, since = performance.now()): void {
    if (isSame(ref, this.state.ref) || since < this.since) return;
    this.since = since;
    const [before, now] = [this.state.ref, ref].map((each) => this.#noteOf(each)?.source);
    const isOfFile = before?.uri !== undefined && before.uri === now?.uri && before.id === now.id;
    // pending results of the former prediction would be applied to the next
    for (const work of ['calendar', 'offers', ...ANALYSES, ...(isOfFile ? [] : ['testing'])]) this.end(work);
    this.#take(charts.showing(this.#chart, ref, isOfFile));
    this.#open(known);
  }

  compareWith(others: readonly LocalPrediction[]): void {
    this.#take(charts.comparingWith(this.#chart, others));
  }

  /** Runs work of which only the latest counts: what a former or ended one finds is dropped. */
  #run(work: Work, run: (take: Take, signal: AbortSignal) => Promise<void>, failed?: (error: unknown) => void) {
    const take = (signal: AbortSignal) => (parts: Partial<charts.Chart>) => {
      if (!signal.aborted) this.#take(parts);
    };
    return this.latest(work, (signal) => run(take(signal), signal), failed);
  }

  #take(parts: Partial<charts.Chart>): void {
    const { comparison: before } = this.#chart;
    this.#chart = { ...this.#chart, ...parts };
    this.#show();
    const { comparison: now } = this.#chart;
    if (now === before) return;
    const isIn = (comparison: Comparison | undefined, { key, sentence }: Entry) =>
      comparison?.entries.some((one) => one.key === key && (one.sentence === undefined || sentence !== undefined));
    if (!now) this.end('others');
    for (const entry of before?.entries ?? []) if (!isIn(now, entry)) this.end(`entry:${entry.key}`);
    if (now && !before) this.start(() => this.#findOthers());
    for (const entry of now?.entries ?? []) if (!isIn(before, entry)) this.start(() => this.#fill(entry));
  }

  async #findOthers(): Promise<void> {
    const { ref, prediction: main } = this.#chart;
    const keyOfSeries = (one: LocalPrediction) => charts.seriesKey(this.#noteOf({ ...ref, predictionId: one.id }), one);
    const series = main && keyOfSeries(main);
    const isOther = (one: LocalPrediction) =>
      one.status === 'COMPLETED' &&
      one.id !== main?.id &&
      ((main?.input_series_id !== undefined && one.input_series_id === main.input_series_id) ||
        (series !== undefined && keyOfSeries(one) === series));
    await this.#run('others', async (take, signal) => {
      const { items } = await this.#session().client.listPredictions({ size: MOST_SEARCHED, signal }, false);
      const { comparison } = this.#chart;
      if (comparison) take({ comparison: { ...comparison, others: items.filter(isOther) } });
    });
  }

  async #fill({ key, make, prediction: known, isScenario: isKnown }: Entry): Promise<void> {
    const { app } = this;
    const fill = async (take: Take, signal: AbortSignal) => {
      const session = this.#session();
      const { client, info } = session;
      const made = async () => {
        if (!make || 'id' in make) return readOne(session, make?.id ?? '', signal);
        const sent = sentOf(app, { serviceId: info.id, predictionId: make.from.id }, make.from, make.other);
        return makeForecast(app, sent, { ...make.change, show: NO_CHART }, signal);
      };
      const prediction = known ?? (await finished(session, await made(), signal));
      const isScenario = isKnown ?? app.memory.recall(info.id, prediction.id)?.scenario !== undefined;
      if (!known) take(charts.withResult(this.#chart, key, { prediction, isScenario }));
      if (isScenario || !(await client.capabilities()).has('getBacktest')) return;
      const horizon = this.#chart.comparison?.entries[0]?.prediction?.prediction_series?.length;
      const query = horizon ? { prediction_length: String(horizon) } : {};
      const backtest = await client.do('getBacktest', { id: prediction.id, query, signal });
      take(charts.withResult(this.#chart, key, { backtest }));
    };
    await this.#run(`entry:${key}`, fill, (error) =>
      this.#take(charts.withResult(this.#chart, key, { sentence: sentenceOf(error) })),
    );
  }

  async #save(): Promise<void> {
    const rows = this.state.compared?.rows ?? [];
    const made = this.#chart.comparison?.entries.flatMap(({ prediction }, index) =>
      prediction ? [{ label: rows[index].label, prediction }] : [],
    );
    if (!made?.length) return;
    const { label = made[0].label, source } = this.#noteOf(this.state.ref) ?? {};
    const title = `${label} · ${vscode.l10n.t('compared')}`;
    await saveAs(this.app.log, { title, extension: 'csv' }, comparedTable(made), source?.uri);
  }

  #show(): void {
    this.set(this.#viewOf(this.#chart, this.state));
  }

  #session(): Session {
    return sessionOf(this.app.connection, this.state.ref.serviceId);
  }

  #noteOf({ serviceId, predictionId }: PredictionRef): Note | undefined {
    return this.app.memory.recall(serviceId, predictionId);
  }

  #exported(): Exported | undefined {
    const { prediction, ref } = this.#chart;
    const chart = this.state.shown?.chart;
    if (!prediction || !chart) return undefined;
    const note = this.#noteOf(ref);
    return { chart, source: note?.source, file: () => forecastFileOf(prediction, note) };
  }

  #open(known: LocalPrediction | undefined): void {
    const source = this.#noteOf(this.state.ref)?.source;
    const following = {
      onChange: (isCurrent: boolean) => this.#take({ isCurrent }),
      onSeries: (series: ReadSeries) => this.start(() => this.#read(series)),
    };
    this.end('file');
    if (source) this.keep('file', followSeries(this.app.files, source, following));
    this.start(() => this.#load(known));
  }

  async #load(known?: LocalPrediction): Promise<void> {
    const { predictionId } = this.state.ref;
    const read = async (take: Take, signal: AbortSignal) => {
      take({ problem: undefined });
      if (known) this.#loaded(known);
      if (known?.status === 'COMPLETED' && known.input_series) return;
      const { client, info, predictions } = this.#session();
      if (!known || (!isOngoing(known) && !known.input_series)) {
        const [found] = (await client.findPredictions(new Set([predictionId]), signal)).jobs;
        if (signal.aborted) return;
        if (!found) throw new ServiceError('not-found', vscode.l10n.t('{0} no longer has this prediction.', info.name));
        this.#loaded(found);
      }
      if (!this.#chart.prediction || !isOngoing(this.#chart.prediction)) return;
      const end = predictions.watch(predictionId, {
        onChange: (now) => this.#loaded(now),
        onProblem: (problem) => take({ problem }),
      });
      signal.addEventListener('abort', end);
    };
    await this.#run('loading', read, (problem) => this.#take({ problem }));
  }

  #loaded(prediction: LocalPrediction): void {
    this.#take(charts.loaded(this.#chart, prediction));
    if (!prediction.prediction_series) return;
    this.#keepOutcome();
    this.start(() => this.#findOffers(prediction));
  }

  async #read(series: ReadSeries): Promise<void> {
    this.#take({ series });
    this.#keepOutcome();
    const { uri } = this.#noteOf(this.state.ref)?.source ?? {};
    if (uri === undefined) return;
    await this.#run('calendar', async (take) => {
      const calendar = await calendarFor(this.app, vscode.Uri.parse(uri));
      const steps = this.#chart.prediction?.prediction_series?.length ?? 1;
      const recent = lastPoints(series);
      take({ series: (await calendar?.(recent, steps)) ?? recent });
    });
  }

  #keepOutcome(): void {
    const { ref, prediction, series } = this.#chart;
    const outcome = prediction?.prediction_series && series && outcomeOf(prediction, series);
    if (!outcome || !this.app.memory.keepCoverage(ref.serviceId, prediction.id, outcome.coverage)) return;
    inBackground(this.app.log, this.app.trees.get(VIEWS.predictions)?.refresh());
  }

  async #findOffers({ input_series: points }: LocalPrediction): Promise<void> {
    await this.#run('offers', async (take, signal) => {
      if (this.state.ref.serviceId !== this.app.connection.current.id) return;
      const session = this.#session();
      const offers = await session.client.capabilities();
      const models = await modelChoices(this.app, session);
      if (signal.aborted) return;
      take({ offers, models });
      const length = points?.length ?? 0;
      const isQuick = session.info.kind === 'local' && length > 0 && length <= QUICK;
      const isRequested = this.#chart.analyses.anomalies !== undefined;
      if (isQuick && !isRequested && setting('markAnomalies') !== 0 && analysesOf(offers).includes('anomalies'))
        await this.#analyze('anomalies');
    });
  }

  async #act(id: string): Promise<unknown> {
    const { app } = this;
    const { ref, prediction, series, analyses } = this.#chart;
    const { source } = this.#noteOf(ref) ?? {};
    const { uri, fileName = '' } = source ?? {};
    const anomalies = typeof analyses.anomalies === 'object' && 'view' in analyses.anomalies && analyses.anomalies.view;
    const file = uri === undefined ? undefined : vscode.Uri.parse(uri);
    const command = (name: string, argument?: unknown) => vscode.commands.executeCommand(name, argument);
    if (this.state.shown?.chart.menu?.some((one) => one.id === id)) return command(`forecasts.${id}`, ref);
    if (id.startsWith(USE_MODEL)) return forecastAgain(app, ref, { model: id.slice(USE_MODEL.length) });
    const ways: Readonly<Record<charts.ActionId, () => unknown>> = {
      again: () => forecastAgain(app, ref),
      model: () => forecastAgain(app, ref, { isOtherModel: true }),
      retry: () => this.#load(),
      'set-token': () => command(COMMANDS.setToken),
      'take-totals': () => file && takeTotals(app, file),
      'show-reading': () => file && command(COMMANDS.showReading, file),
      'change-steps': () => file && changeSteps(app, ref, file),
      'stop-keeping': () => file && command(COMMANDS.keepUpToDate, file),
      'lay-over': () => {
        const cells = prediction && series ? charts.changedAhead(prediction, series) : [];
        const name = vscode.l10n.t('As in {0} now', fileName);
        if (cells.length > 0) this.#take(charts.supposing(this.#chart, { name, cells }));
      },
      'leave-out': () =>
        prediction &&
        anomalies &&
        forecastWithout(app, ref, prediction, new Set(anomalies.points.map(({ time }) => time))),
      mark: () => source && anomalies && markAnomalies(app, source, anomalies),
    };
    return Object.hasOwn(ways, id) ? ways[id as charts.ActionId]() : undefined;
  }

  async #change(change: Change): Promise<void> {
    const { prediction, ref } = this.#chart;
    if (!prediction) return;
    const { ai_model_id: model, prediction_series: ahead } = prediction;
    const levels = intervalLevels(prediction);
    const intervals = levels.length > 0 ? levels : undefined;
    const now = { covariates: offeredTo(prediction), model, horizon: ahead?.length, intervals, ...change };
    try {
      await forecastAgain(this.app, ref, { ...now, areColumnsChosen: change.covariates !== undefined });
    } finally {
      this.#show();
    }
  }

  async #analyze(analysis: Analysis, rarity?: number): Promise<void> {
    const { prediction, ref, offers } = this.#chart;
    if (!prediction) return;
    const found = (what: Found<Analyses[Analysis]>) => ({ analyses: { ...this.#chart.analyses, [analysis]: what } });
    const ask = async (take: Take, signal: AbortSignal) => {
      take(found('asked'));
      const possible = { 'leave-out': offers, mark: this.#noteOf(ref)?.source?.uri };
      const actions = (['leave-out', 'mark'] as const).filter((id) => possible[id] !== undefined).map(charts.action);
      const { client } = this.#session();
      const view = await analyze(analysis, { client, prediction, rarity, actions, signal });
      take(found({ view }));
    };
    await this.#run(analysis, ask, (error) => this.#take(found({ problem: sentenceOf(error) })));
  }

  async #testColumns(): Promise<void> {
    const { prediction, series } = this.#chart;
    if (!prediction || !series) return;
    const names = columnsOf([series]).map(({ name }) => name);
    await this.#run('testing', async (take, signal) => {
      const asked = { model: prediction.ai_model_id, signal };
      take({ tests: await testColumns(this.#session().client, series, names, asked) });
    });
  }
}

const keyOf = (ref: PredictionRef): string => JSON.stringify([ref.serviceId, ref.predictionId]);
const isSame = (one: PredictionRef, other: PredictionRef): boolean => keyOf(one) === keyOf(other);

export class ChartPages extends PageHost<ChartRef, ChartIntent, LocalPrediction, ChartPage> implements Charts {
  constructor(app: () => App) {
    const kind = { viewType: 'forecasts.chart', bundle: 'webview', ref: ChartRef, intent: ChartIntent } as const;
    super({ ...kind, keyOf, page: ChartPage }, app);
  }

  override open(
    ref: PredictionRef,
    known?: LocalPrediction,
    { former, since, ...showing }: Parameters<Charts['open']>[2] = {},
  ): ChartPage {
    const page = this.find(ref) ?? (former && this.find(former)) ?? this.#ofSeries(ref, known);
    page?.show(ref, known, since);
    return page && !isSame(page.state.ref, ref) ? page : super.open(ref, known, showing);
  }

  aheadOf(note: Note): vscode.Disposable | undefined {
    const series = charts.seriesKey(note, undefined);
    return this.pages.some((page) => page.series === series) ? undefined : this.ahead(vscode.l10n.t('Forecast'));
  }

  compare(ref: PredictionRef, known: LocalPrediction, others: readonly LocalPrediction[]): void {
    this.open(ref, known).compareWith(others);
  }

  follow(ref: PredictionRef, known: LocalPrediction): void {
    const page = this.#ofSeries(ref, known);
    page?.show(ref, known, page.since);
  }

  #ofSeries(ref: PredictionRef, known: LocalPrediction | undefined): ChartPage | undefined {
    const series = charts.seriesKey(this.app().memory.recall(ref.serviceId, ref.predictionId), known);
    return series === undefined ? undefined : this.pages.find((page) => page.series === series);
  }
}
