import * as vscode from 'vscode';
import { type WrittenZone, parseTimestamp, parseZoned } from '../../../calendar/timestamp.ts';
import { dayAndClock, inDigits, inPercent } from '../../../calendar/digits.ts';
import { parseDuration, type Frequency } from '../../../calendar/frequency.ts';
import { formatInstant, describeFrequency, stepNoun } from '../../../calendar/format.ts';
import { inferFrequency, isRising } from '../../../calendar/grid.ts';
import { fixedZone } from '../../../calendar/zone.ts';
import { chartView, shownZone } from '../../../chart/chart-view.ts';
import type { Capabilities } from '../../../client/capabilities.ts';
import type * as local from '../../../contract/resources.ts';
import { isOngoing, isPending, type LocalPrediction } from '../../../contract/resources.ts';
import type { Memory, Note } from '../../connection/memory.ts';
import { COMMANDS, setting, VIEWS } from '../../names.ts';
import { coverageText } from '../chart/comparison.ts';
import { ago } from '../shared/ago.ts';
import { toBase64 } from '#platform/bytes';
import { drawScene, PRINT } from '../../../chart/scene.ts';
import { sparklineScene } from '../../../chart/frame.ts';
import { svgPen } from '../../../chart/svg-pen.ts';
import { sparklineOf } from '../../../contract/sparkline.ts';

interface Items {
  readonly prediction: local.LocalPrediction;
  readonly dataset: local.LocalDataset;
  readonly series: local.StoredSeries;
  readonly baseModel: local.BaseModel;
  readonly fineTunedModel: local.LocalFineTunedModel;
  readonly key: local.LocalKey;
}

interface EntryOf<K extends keyof Items> {
  readonly kind: K;
  readonly id: string;
  readonly item: Items[K];
  readonly note?: Note | undefined;
  readonly modelLabel?: string | undefined;
  readonly isPinned?: boolean | undefined;
  readonly isKept?: boolean | undefined;
  /** Of a model that its service does not list: that it was made here, and what was last known of it. */
  readonly made?: { readonly asOf?: number | undefined; readonly said?: string | undefined } | undefined;
  readonly used?: { readonly at?: string | undefined; readonly by?: string | undefined } | undefined;
  readonly isOwn?: boolean | undefined;
}
export type Entry = { [K in keyof Items]: EntryOf<K> }[keyof Items];

interface Served {
  readonly serviceId: string;
  readonly offers: Capabilities;
}
export type ResourceNode = Entry & Served;

export interface Group {
  readonly kind: 'group';
  readonly id: string;
  readonly label: string;
  readonly entries: readonly ResourceNode[];
  readonly batchId?: string | undefined;
}

export type Node =
  | ResourceNode
  | {
      readonly kind: 'more';
      readonly viewId: string;
      readonly id: string;
      readonly loaded: number;
      readonly total: number | undefined;
      readonly parent: ResourceNode | undefined;
    }
  | Group
  | { readonly kind: 'problem'; readonly id: string; readonly error: unknown };

type Parts = readonly (string | false | undefined)[];
type Lines = readonly (readonly [name: string, value: string | undefined])[];

interface Kind<K extends keyof Items> {
  readonly view: string;
  readonly name: (entry: EntryOf<K>) => string;
  readonly parts: (entry: EntryOf<K>, now: number) => Parts;
  readonly lines?: (entry: EntryOf<K>, now: number) => Lines;
  readonly icon: (entry: EntryOf<K>) => readonly [id: string, color?: string];
  readonly opens?: (node: EntryOf<K> & Served) => string | undefined;
  readonly context?: (node: EntryOf<K> & Served) => Parts;
  readonly links?: readonly (readonly [label: string, command: string])[];
  readonly deletion?: 'deletePrediction' | 'deleteFineTunedModel' | 'deleteDataset' | 'deleteKey';
  readonly children?: 'listDatasetSeries';
}

const OPEN_CHART = vscode.l10n.t('Open Chart');
const OPEN_MODEL = vscode.l10n.t('Open Model');
const PASSED = 'testing.iconPassed';

const statusIcon = (status: string): readonly [id: string, color?: string] =>
  (
    {
      QUEUED: ['circle-outline'],
      IN_PROGRESS: ['sync~spin'],
      COMPLETED: ['pass', PASSED],
      FAILED: ['error', 'testing.iconFailed'],
    } as const
  )[status] ?? ['question'];

const byAgent = (note: Note | undefined, item: { readonly requested_by?: string | undefined }) =>
  (note?.byAgent === true || item.requested_by === 'agent') && vscode.l10n.t('by an agent');

const KINDS: { readonly [K in keyof Items]: Kind<K> } = {
  prediction: {
    view: VIEWS.predictions,
    name: ({ item, note }) => note?.label ?? item.name ?? vscode.l10n.t('Prediction {0}', shortId(item.id)),
    parts: ({ item, note, modelLabel, isPinned, isKept }, now) => {
      const frequency = item.details?.frequency ? parseDuration(item.details.frequency) : frequencyOf(item, note);
      const steps = item.prediction_length ?? item.prediction_series?.length;
      return [
        isPinned && vscode.l10n.t('pinned'),
        isKept && vscode.l10n.t('kept up to date'),
        note?.coverage && coverageText(note.coverage),
        modelLabel ?? (item.ai_model_id && shortModel(item.ai_model_id)),
        statusWords(item) ?? (steps === undefined ? undefined : stepNoun(frequency, steps)),
        ago(item.created_at, now),
        byAgent(note, item),
      ];
    },
    lines: ({ item }) => [[vscode.l10n.t('Reason'), item.error]],
    icon: ({ item, isKept }) => (isKept && item.status === 'COMPLETED' ? ['sync', PASSED] : statusIcon(item.status)),
    opens: () => OPEN_CHART,
    context: ({ item, note, isPinned = false, isKept = false }) => [
      item.status === 'FAILED' && 'failed',
      isPinned && 'pinned',
      isKept && 'kept',
      !isKept && note?.source?.uri !== undefined && !note.source.isPart && 'ofFile',
    ],
    links: [
      [OPEN_CHART, COMMANDS.open],
      [vscode.l10n.t('Forecast Again'), COMMANDS.forecastAgain],
    ],
    deletion: 'deletePrediction',
  },
  dataset: {
    view: VIEWS.datasets,
    name: ({ item: { id, name, tags } }) => name ?? (tags?.join(', ') || vscode.l10n.t('Dataset {0}', shortId(id))),
    parts: ({ item: { for_job, series_count: series, stats } }) => [
      for_job && vscode.l10n.t('stored for a job'),
      count(series, 'series', 'series'),
      count(stats?.rows, 'row'),
      stats && span(stats),
    ],
    lines: ({ item: { tags, stats } }) => [
      [vscode.l10n.t('Tags'), tags?.join(', ')],
      [vscode.l10n.t('Frequency'), stats?.freq],
      [vscode.l10n.t('Size'), stats?.size],
      ...fromTo(stats),
    ],
    icon: () => ['database'],
    deletion: 'deleteDataset',
    children: 'listDatasetSeries',
  },
  series: {
    view: VIEWS.datasets,
    name: ({ item }) => item.name ?? vscode.l10n.t('Series {0}', shortId(item.id)),
    parts: ({ item }) => {
      const frequency = item.freq ? parseDuration(item.freq) : undefined;
      return [frequency ? describeFrequency(frequency) : item.freq, count(item.rows, 'point'), span(item)];
    },
    lines: ({ item }) => fromTo(item),
    icon: () => ['graph-line'],
    opens: ({ offers }) => (offers.has('getSeries') ? vscode.l10n.t('Plot Series') : undefined),
    context: ({ offers }) => [offers.has('getSeries') && 'readable'],
  },
  baseModel: {
    view: VIEWS.models,
    name: ({ item, used }) =>
      item.name ?? (used && /^[\da-f-]{16,}$/i.test(item.id) ? vscode.l10n.t('Model {0}', shortId(item.id)) : item.id),
    parts: ({ item, used }, now) => [
      used ? usedWords(used, now) : vscode.l10n.t('base'),
      item.is_default && vscode.l10n.t('default'),
    ],
    lines: ({ item, used }, now) => [
      [vscode.l10n.t('Description'), item.description],
      [vscode.l10n.t('Source'), used && vscode.l10n.t('from a prediction; this service gives no details')],
      [vscode.l10n.t('Last used'), used && usedWords(used, now)],
      [vscode.l10n.t('Minimum length'), count(item.min_points, 'point')],
    ],
    icon: () => ['circuit-board'],
    context: () => ['usable'],
  },
  fineTunedModel: {
    view: VIEWS.models,
    name: ({ item, note }) =>
      note?.label ?? item.name ?? `${item.base_model ?? vscode.l10n.t('Model')} ${shortId(item.id)}`,
    parts: ({ item, note, made }) => {
      const [state, known] = [statusWords(item), madeHereWords(made, item)];
      const status = isPending(item.status) ? [[state, known].filter(Boolean).join(' ')] : [state ?? gain(item), known];
      return [vscode.l10n.t('fine-tuned'), ...status, byAgent(note, item)];
    },
    lines: ({ item, made }) => [
      [vscode.l10n.t('Source'), madeHereWords(made, item)],
      [vscode.l10n.t('Status'), item.status],
      [vscode.l10n.t('Reason'), item.error],
      [vscode.l10n.t('Base model'), item.base_model],
      [vscode.l10n.t('Holdout'), gain(item)],
      ...Object.entries(item.config ?? {}).map(
        ([name, value]) => [name, value === undefined ? undefined : String(value)] as const,
      ),
      [vscode.l10n.t('Note'), item.warnings?.join(' ')],
    ],
    icon: ({ item }) => statusIcon(item.status),
    opens: () => OPEN_MODEL,
    context: ({ item, offers }) => [isUsable(item, offers) && 'usable'],
    links: [[OPEN_MODEL, COMMANDS.open]],
    deletion: 'deleteFineTunedModel',
  },
  key: {
    view: VIEWS.keys,
    name: ({ item: { id, name } }) => (typeof name === 'string' ? name : vscode.l10n.t('key {0}', shortId(id))),
    parts: ({ item: { status, created_at: made } }) => [status?.toLowerCase(), made?.slice(0, 10)],
    lines: ({ item }) => [[vscode.l10n.t('Status'), item.status]],
    icon: ({ item }) => (item.status === 'ACTIVE' ? ['key'] : ['key', 'disabledForeground']),
    context: ({ item }) => [item.secret !== undefined && 'secret', item.status === 'ACTIVE' && 'active'],
    deletion: 'deleteKey',
  },
};

export const kindOf = ({ kind }: Pick<Entry, 'kind'>) => KINDS[kind] as Kind<keyof Items>;

export function canDelete(node: ResourceNode): boolean {
  const { deletion } = kindOf(node);
  return !node.isOwn && deletion !== undefined && node.offers.has(deletion);
}

export const isUsable = ({ status }: local.LocalFineTunedModel, offers: Pick<Capabilities, 'tellsOfModels'>): boolean =>
  status === 'COMPLETED' || (!offers.tellsOfModels && status !== 'FAILED');

export const isResource = (node: Node): node is ResourceNode => node.kind in KINDS;

export const isUnfinished = (node: ResourceNode): boolean =>
  (node.kind === 'prediction' || node.kind === 'fineTunedModel') && isOngoing(node.item);

export function describeEntry(entry: Entry, now = Date.now()) {
  const { name: nameOf, parts, lines } = kindOf(entry);
  const name = nameOf(entry);
  return { name, label: shortLabel(name), description: dots(...parts(entry, now)), lines: lines?.(entry, now) ?? [] };
}

const MOST_LETTERS = 26; // longer labels would push model and horizon out of the sidebar

/** A long label without its middle: it begins with a file and ends with a series. */
export function shortLabel(label: string): string {
  const letters = [...label];
  if (letters.length <= MOST_LETTERS) return label;
  const end = Math.ceil(MOST_LETTERS * 0.55);
  const start = letters.slice(0, MOST_LETTERS - end - 1).join('');
  return `${start.trimEnd()}…${letters.slice(-end).join('').trimStart()}`;
}

function frequencyOf({ prediction_series: series = [] }: local.LocalPrediction, note: Note | undefined) {
  if (note?.source?.timeKind === 'row') return undefined;
  const times = Float64Array.from(series.slice(0, 30), ({ timestamp }) => parseTimestamp(timestamp));
  return times.length > 2 && isRising(times) && !times.includes(NaN) ? inferFrequency(times) : undefined;
}

export function statusWords({
  status,
  progress,
  error,
}: Pick<local.LocalPrediction, 'status' | 'progress' | 'error'>): string | undefined {
  const share = progress === undefined ? '' : ` ${inPercent(String(Math.round(progress * 100)))}`;
  const words: Partial<Record<string, string>> = {
    COMPLETED: undefined,
    QUEUED: vscode.l10n.t('queued'),
    IN_PROGRESS: vscode.l10n.t('running{0}', share),
    FAILED: error ? vscode.l10n.t('failed: {0}', error) : vscode.l10n.t('failed'),
  };
  return status in words ? words[status] : status;
}

const usedWords = ({ at, by }: NonNullable<Entry['used']>, now: number): string =>
  dots(by ? vscode.l10n.t('last used on {0}', by) : vscode.l10n.t('used in a prediction'), ago(at, now));

function madeHereWords(made: Entry['made'], { status }: local.LocalFineTunedModel): string | undefined {
  if (!made) return undefined;
  const { asOf, said } = made;
  if (!isPending(status) || asOf === undefined) return vscode.l10n.t('created here');
  return said === undefined
    ? vscode.l10n.t('as of {0}; this service reports no newer status', clock(asOf))
    : vscode.l10n.t('{0}: the service answered “{1}”', clock(asOf), said);
}

/** “14:03”, on another day with its date. */
function clock(time: number): string {
  const { day, clock: hours } = dayAndClock(time);
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  return isToday ? hours : `${day}, ${hours}`;
}

export const gainOf = (base: number, own: number): number => Math.round((1 - own / base) * 100);

export function better(gain: number): string {
  if (gain === 0) return vscode.l10n.t('no better');
  return gain < 0 ? vscode.l10n.t('{0}% worse', -gain) : vscode.l10n.t('{0}% better', gain);
}

const gain = ({ scores }: local.LocalFineTunedModel): string | undefined =>
  scores?.base_mase && scores.mase !== undefined
    ? vscode.l10n.t('{0} than its base model on the holdout', better(gainOf(scores.base_mase, scores.mase)))
    : undefined;

const shortModel = (id: string) => (id.length > 24 ? `…${id.slice(-6)}` : id);
const shortId = (id: string) => id.slice(-6);
const dots = (...parts: Parts) => parts.filter(Boolean).join(' · ');

const count = (n: number | undefined, one: string, many = `${one}s`): string | undefined =>
  n === undefined ? undefined : `${inDigits(n)} ${n === 1 ? one : many}`;

const fromTo = (stats?: local.LocalDataset['stats']): Lines => [
  [vscode.l10n.t('From'), stats?.start_timestamp],
  [vscode.l10n.t('To'), stats?.end_timestamp],
];

function span(stats: NonNullable<local.LocalDataset['stats']>): string | undefined {
  const frequency: Frequency | undefined = stats.freq ? parseDuration(stats.freq) : undefined;
  const written = [stats.start_timestamp, stats.end_timestamp].map((text = '') => {
    const clock = { offset: undefined, name: undefined } as WrittenZone;
    return { time: parseZoned(text, clock), file: fixedZone(clock.offset ?? 0) };
  });
  const walls = written.map(({ time, file }) => file.toWall(time));
  const [start, end] = written.map(({ time, file }) => {
    const zone = shownZone(file, frequency, setting('timeZone'), walls);
    return Number.isNaN(time) ? undefined : formatInstant(time, frequency, zone);
  });
  return start === undefined || end === undefined ? undefined : `${start} – ${end}`;
}

const icon = (id: string, color?: string): vscode.ThemeIcon =>
  new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));

const itemOf = (label: string, state: keyof typeof vscode.TreeItemCollapsibleState, parts: Partial<vscode.TreeItem>) =>
  Object.assign(new vscode.TreeItem(label, vscode.TreeItemCollapsibleState[state]), parts);

export function treeItem(node: Node, now: number): vscode.TreeItem {
  if (node.kind === 'group') return groupItem(node, now);
  if (node.kind === 'more')
    return itemOf(vscode.l10n.t('Load more…'), 'None', {
      description:
        node.total === undefined
          ? vscode.l10n.t('{0} shown', node.loaded)
          : vscode.l10n.t('{0} of {1}', node.loaded, inDigits(node.total)),
      command: { command: COMMANDS.loadMore, title: vscode.l10n.t('Load more'), arguments: [node] },
      iconPath: icon('chevron-down'),
      contextValue: 'more',
    });
  if (node.kind === 'problem') {
    const message = node.error instanceof Error ? node.error.message : String(node.error);
    return itemOf(message, 'None', {
      tooltip: message,
      iconPath: icon('warning', 'list.warningForeground'),
      contextValue: 'problem',
      command: { command: COMMANDS.explainProblem, title: vscode.l10n.t('Explain Problem'), arguments: [node] },
    });
  }
  const { name, label, description } = describeEntry(node, now);
  const { icon: iconOf, context, opens, children } = kindOf(node);
  const title = opens?.(node);
  const words = [node.kind, canDelete(node) && 'deletable', ...(context?.(node) ?? [])];
  return itemOf(label, children !== undefined && node.offers.has(children) ? 'Collapsed' : 'None', {
    id: `${node.serviceId} ${node.kind} ${node.id}`,
    description,
    iconPath: icon(...iconOf(node)),
    contextValue: words.filter(Boolean).join(' '),
    accessibilityInformation: { label: `${name}, ${description}` },
    ...(node.kind === 'prediction' ? {} : { tooltip: hover(node, now) }),
    ...(title === undefined ? {} : { command: { command: COMMANDS.open, title, arguments: [node] } }),
  });
}

function groupItem(node: Group, now: number): vscode.TreeItem {
  const { id, label, entries, batchId } = node;
  const count = inDigits(entries.length);
  if (batchId === undefined) return itemOf(label, 'Expanded', { id, description: count, contextValue: 'group' });
  return itemOf(label, 'Collapsed', {
    id,
    description: vscode.l10n.t('{0} series · {1}', count, describeEntry(entries[0], now).description),
    contextValue: entries.every(canDelete) ? 'group deletable' : 'group',
    iconPath: icon('layers'),
    command: { command: COMMANDS.open, title: vscode.l10n.t('Open Forecasts'), arguments: [node] },
  });
}

const COLORS = { ...PRINT, history: '#8a8a8a', forecast: '#3794ff' };
const SIZE = { width: 240, height: 48 };

/** Lines of text, escaped, and a sparkline of a forecast. @param prediction with its series, if it was read */
export function hover(node: ResourceNode, now: number, prediction?: LocalPrediction): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const { links = [] } = kindOf(node);
  const { name, lines, description } = describeEntry(node, now);
  const { figures = [] } = prediction ? chartView(prediction, { timeZone: 'UTC' }) : {};
  const facts = lines.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  text.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  text.appendMarkdown('**').appendText(name).appendMarkdown('**');
  for (const line of [description, ...figures.map((figure) => figure.text), ...facts])
    if (line !== '') text.appendMarkdown('  \n').appendText(line);
  const { input_series: past, prediction_series: ahead } = prediction ?? {};
  if (past && ahead) {
    const pen = svgPen(SIZE, COLORS);
    drawScene(pen, sparklineScene(sparklineOf(past, ahead)), { left: 2, top: 3, width: 236, height: 42 }, COLORS);
    const drawing = new TextEncoder().encode(pen.document(''));
    text.appendMarkdown(`\n\n![](data:image/svg+xml;base64,${toBase64(drawing)})`);
  }
  if (links.length === 0) return text;
  const named = node.kind === 'prediction' ? { predictionId: node.id } : { modelId: node.id };
  const argument = encodeURIComponent(JSON.stringify([{ serviceId: node.serviceId, ...named }]));
  const linked = links.map(([label, command]) => `[${label}](command:${command}?${argument})`);
  return text.appendMarkdown(`\n\n${linked.join(' · ')}`);
}

export const GROUPINGS = ['none', 'file', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export function matches(node: ResourceNode, filter: string, now: number): boolean {
  const { name, description } = describeEntry(node, now);
  const further = node.kind === 'prediction' ? [node.item.status, node.item.ai_model_id ?? ''] : [];
  const text = [name, description, ...further].join(' ').toLowerCase().replaceAll('_', ' ');
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

type Head = Omit<Group, 'kind' | 'entries'>;

/** Nodes below their heads, each group where its first node stands. Pinned nodes come first, by themselves. */
function inGroups(nodes: readonly ResourceNode[], headOf: (node: ResourceNode) => Head | undefined): Node[] {
  const pinnedFirst = nodes.toSorted((a, b) => Number(b.isPinned ?? 0) - Number(a.isPinned ?? 0));
  const headed = pinnedFirst.map((node) => ({ node, head: node.isPinned ? undefined : headOf(node) }));
  return [...Map.groupBy(headed, ({ node, head }) => head?.id ?? node.id).values()].flatMap((all): Node[] => {
    const entries = all.map(({ node }) => node);
    const [{ head }] = all;
    return head ? [{ kind: 'group', ...head, entries }] : entries;
  });
}

export const noteKeyOfRun = (batchId: string): string => `run ${batchId}`;

export function inRuns(nodes: readonly ResourceNode[], memory: Pick<Memory, 'recall'>): Node[] {
  const all = inGroups(nodes, ({ kind, item, serviceId }) => {
    const batchId = kind === 'prediction' ? item.batch_id : undefined;
    return batchId === undefined ? undefined : { id: `run ${serviceId} ${batchId}`, label: '', batchId };
  });
  return all.map((node) => {
    if (node.kind !== 'group' || node.batchId === undefined) return node;
    const { entries, batchId } = node;
    const [first] = entries;
    if (entries.length === 1) return first;
    const label = memory.recall(first.serviceId, noteKeyOfRun(batchId))?.label;
    return { ...node, label: label ?? vscode.l10n.t('{0} series', inDigits(entries.length)) };
  });
}

export const grouped = (nodes: readonly ResourceNode[], by: Exclude<Grouping, 'none'>, now: number): Node[] =>
  inGroups(nodes, (node) => {
    const file = node.kind === 'prediction' ? node.note?.source?.fileName : undefined;
    const label = by === 'day' ? dayOf(node, now) : (file ?? vscode.l10n.t('Not from a file'));
    return { id: `group ${by} ${label}`, label };
  });

/** The day in the person’s time zone: “Today”, “Yesterday”, or as in ISO 8601. */
function dayOf(node: ResourceNode, now: number): string {
  const made = node.kind === 'prediction' ? parseTimestamp(node.item.created_at ?? '') : NaN;
  if (Number.isNaN(made)) return vscode.l10n.t('No date');
  const day = (time: number) => new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  if (day(made) === day(now)) return vscode.l10n.t('Today');
  return day(made) === day(now - 86_400_000) ? vscode.l10n.t('Yesterday') : day(made);
}
