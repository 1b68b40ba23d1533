import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import type { WrittenZone } from '../../../calendar/clock.ts';
import { dayAndClock, inDigits } from '../../../calendar/digits.ts';
import { parseDuration } from '../../../calendar/duration.ts';
import { formatInstant } from '../../../calendar/format.ts';
import type { Frequency } from '../../../calendar/frequency.ts';
import { inferFrequency } from '../../../calendar/infer.ts';
import { isRising } from '../../../calendar/order.ts';
import { parseTimestamp, parseZoned } from '../../../calendar/timestamp.ts';
import { describeFrequency, stepNoun } from '../../../calendar/words.ts';
import { fixedZone } from '../../../calendar/zone.ts';
import { shownZone } from '../../../chart/chart-view.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../../../contract/local.ts';
import { isPending } from '../../../contract/operation.ts';
import type { DatasetStats } from '../../../contract/resources.ts';
import type { Note } from '../../connection/memory.ts';
import { setting } from '../../connection/settings.ts';
import { heldWords } from '../chart/outcome.ts';
import { ago } from '../shared/ago.ts';
import type { Entry, Origin } from './node.ts';

type Lines = readonly (readonly [name: string, value: string | undefined])[];

/** What a tree item says: its name, what one wants to know next, and the rest line by line for the tooltip. No secrets. */
export interface Description {
  /** As a whole; {@link Description.label} is what of it has room beside the description. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly lines: Lines;
}

/** The name of an entry; parts of its description, those that are absent left out; what its tooltip says further. */
interface Words {
  readonly name: string;
  readonly parts: readonly (string | false | undefined)[];
  readonly lines: Lines;
}

/** The words for a resource. @param now epoch milliseconds, for “2 min ago” */
export function describeEntry(entry: Entry, now: number): Description {
  const wordsOf = WORDS[entry.kind] as (entry: Entry, now: number) => Words;
  const { name, parts, lines } = wordsOf(entry, now);
  return { name, label: shortLabel(name), description: dots(...parts), lines };
}

/** More letters than this would push model and horizon out of the side bar. */
const MOST_LETTERS = 26;

/** A long label without its middle: a file's name begins it, and the series that is meant ends it. */
export function shortLabel(label: string): string {
  const letters = [...label];
  if (letters.length <= MOST_LETTERS) return label;
  const end = Math.ceil(MOST_LETTERS * 0.55);
  const start = letters.slice(0, MOST_LETTERS - end - 1).join('');
  return `${start.trimEnd()}…${letters.slice(-end).join('').trimStart()}`;
}

const WORDS: { readonly [K in Entry['kind']]: (entry: Entry & { kind: K }, now: number) => Words } = {
  prediction: ({ item, note, modelLabel, isPinned, isKept }, now) => {
    const frequency = item.details?.frequency ? parseDuration(item.details.frequency) : rhythmOf(item, note);
    const steps = item.prediction_length ?? item.prediction_series?.length;
    return {
      name: note?.label ?? item.name ?? vscode.l10n.t('Prediction {0}', shortId(item.id)),
      parts: [
        isPinned && vscode.l10n.t('pinned'),
        isKept && vscode.l10n.t('kept up to date'),
        // a narrow side bar shows the first words only
        note?.held && heldWords(note.held),
        modelLabel ?? (item.ai_model_id && shortModel(item.ai_model_id)),
        statusWords(item.status, item.progress, item.error) ??
          (steps === undefined ? undefined : stepNoun(frequency, steps)),
        ago(item.created_at, now),
        (note?.byAgent === true || item.requested_by === 'agent') && vscode.l10n.t('by an agent'),
      ],
      lines: [[vscode.l10n.t('Reason'), item.error]],
    };
  },
  dataset: ({ item: { id, name, tags, for_job, series_count: series, stats } }) => ({
    name: name ?? (tags?.join(', ') || vscode.l10n.t('Dataset {0}', shortId(id))),
    parts: [
      for_job && vscode.l10n.t('stored for a job'),
      series === undefined ? undefined : count(series, 'series', 'series'),
      stats?.rows === undefined ? undefined : count(stats.rows, 'row'),
      stats && span(stats),
    ],
    lines: [
      [vscode.l10n.t('Tags'), tags?.join(', ')],
      [vscode.l10n.t('Frequency'), stats?.freq],
      [vscode.l10n.t('Size'), stats?.size],
      ...fromTo(stats),
    ],
  }),
  series: ({ item }) => {
    const frequency = item.freq ? parseDuration(item.freq) : undefined;
    return {
      name: item.name ?? vscode.l10n.t('Series {0}', shortId(item.id)),
      parts: [
        frequency ? describeFrequency(frequency) : item.freq,
        item.rows === undefined ? undefined : count(item.rows, 'point'),
        span(item),
      ],
      lines: fromTo(item),
    };
  },
  baseModel: ({ item, origin }, now) => {
    const isMet = origin?.from === 'prediction';
    const usedOn =
      isMet &&
      (origin.usedOn ? vscode.l10n.t('last used on {0}', origin.usedOn) : vscode.l10n.t('used in a prediction'));
    const used = isMet ? dots(usedOn, ago(origin.lastUsed, now)) : undefined;
    return {
      name: item.name ?? (isMet && isNoName(item.id) ? vscode.l10n.t('Model {0}', shortId(item.id)) : item.id),
      parts: [used ?? vscode.l10n.t('base'), item.is_default && vscode.l10n.t('default')],
      lines: [
        [vscode.l10n.t('About'), item.description],
        [
          vscode.l10n.t('Known'),
          isMet ? vscode.l10n.t('from a prediction; this service does not tell more') : undefined,
        ],
        [vscode.l10n.t('Last used'), used],
        [vscode.l10n.t('Needs'), item.min_points === undefined ? undefined : count(item.min_points, 'point')],
      ],
    };
  },
  fineTunedModel: ({ item, note, origin }) => {
    const isOpen = isPending(item.status);
    const state = statusWords(item.status, item.progress, item.error);
    const known = originWords(origin, isOpen);
    return {
      name: note?.label ?? item.name ?? `${item.base_model ?? vscode.l10n.t('Model')} ${shortId(item.id)}`,
      parts: [
        vscode.l10n.t('fine-tuned'),
        isOpen ? [state, known].filter(Boolean).join(' ') : (state ?? gain(item)),
        !isOpen && known,
        (note?.byAgent === true || item.requested_by === 'agent') && vscode.l10n.t('by an agent'),
      ],
      lines: [
        [vscode.l10n.t('Known'), known],
        [vscode.l10n.t('Status'), item.status],
        [vscode.l10n.t('Reason'), item.error],
        [vscode.l10n.t('Base model'), item.base_model],
        ['Hold-out', gain(item)],
        ...Object.entries(item.config ?? {}).map(
          ([name, value]) => [name, value === undefined ? undefined : String(value)] as const,
        ),
        [vscode.l10n.t('Note'), item.warnings?.join(' ')],
      ],
    };
  },
  key: ({ item: { id, name, status, created_at: made } }) => ({
    name: typeof name === 'string' ? name : vscode.l10n.t('key {0}', shortId(id)),
    parts: [status?.toLowerCase(), made?.slice(0, 10)],
    lines: [[vscode.l10n.t('Status'), status]],
  }),
};

/** Points that tell the step of a forecast whose service does not say it. */
const TELLING = 30;

function rhythmOf({ prediction_series: series = [] }: LocalPrediction, note: Note | undefined): Frequency | undefined {
  if (note?.source?.timeKind === 'row') return undefined;
  const times = Float64Array.from(series.slice(0, TELLING), ({ timestamp }) => parseTimestamp(timestamp));
  return times.length > 2 && isRising(times) && !times.includes(NaN) ? inferFrequency(times) : undefined;
}

/** The words for a status that is not simply done; a status the interface does not name is shown as it is. */
export function statusWords(status: string, progress?: number, error?: string): string | undefined {
  switch (status) {
    case 'COMPLETED':
      return undefined;
    case 'QUEUED':
      return vscode.l10n.t('queued');
    case 'IN_PROGRESS':
      return progress === undefined
        ? vscode.l10n.t('running')
        : vscode.l10n.t('running {0} %', Math.round(progress * 100));
    case 'FAILED':
      return error ? vscode.l10n.t('failed: {0}', error) : vscode.l10n.t('failed');
    default:
      return status;
  }
}

/** Where a model is known from; as of when its state is, where nothing more will be told of it. */
function originWords(origin: Origin | undefined, isOpen: boolean): string | undefined {
  if (!origin || origin.from === 'prediction') return undefined;
  const { asOf, said } = origin;
  if (isOpen && asOf !== undefined && said !== undefined)
    return vscode.l10n.t('at {0} this service said “{1}”', clock(asOf), said);
  return isOpen && asOf !== undefined
    ? vscode.l10n.t('as of {0}; this service does not tell more', clock(asOf))
    : vscode.l10n.t('made here');
}

/** “14:03”, on another day with its date. */
function clock(time: number): string {
  const { day, clock: hours } = dayAndClock(time);
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  return isToday ? hours : `${day}, ${hours}`;
}

/** Whether an id says nothing to a person, as a UUID does. */
const isNoName = (id: string): boolean => /^[\da-f-]{16,}$/i.test(id);

/** “18 % better on its hold-out”, where the service tells the scores. */
function gain({ scores }: LocalFineTunedModel): string | undefined {
  if (!scores?.base_mase || scores.mase === undefined) return undefined;
  const better = Math.round((1 - scores.mase / scores.base_mase) * 100);
  if (better > 0) return vscode.l10n.t('{0} % better on its hold-out', better);
  return better < 0
    ? vscode.l10n.t('{0} % worse than its base on its hold-out', -better)
    : vscode.l10n.t('no better than its base on its hold-out');
}

const shortModel = (id: string) => (id.length > 24 ? `…${id.slice(-6)}` : id);
const shortId = (id: string) => id.slice(-6);
const dots = (...parts: Words['parts']) => parts.filter(Boolean).join(' · ');

function count(n: number, one: string, many = `${one}s`): string {
  return `${inDigits(n)} ${n === 1 ? one : many}`;
}

/** When something begins and ends, as its service says it. */
const fromTo = (stats?: z.infer<typeof DatasetStats>): Lines => [
  [vscode.l10n.t('From'), stats?.start_timestamp],
  [vscode.l10n.t('To'), stats?.end_timestamp],
];

function span(stats: z.infer<typeof DatasetStats>): string | undefined {
  const frequency = stats.freq ? parseDuration(stats.freq) : undefined;
  const written = [stats.start_timestamp, stats.end_timestamp].map((text = '') => {
    // a service says by its offset which zone a series is of
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
