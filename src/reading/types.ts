import type { Phrase } from './phrase.ts';
import type { Frequency } from '../calendar/frequency.ts';

export type DocumentKind = 'csv' | 'json' | 'ndjson';
export const ENCODINGS = [
  ...(['utf-8', 'utf-16le', 'utf-16be'] as const),
  ...(['windows-1252', 'windows-1250', 'windows-1251', 'iso-8859-2'] as const),
  ...(['shift_jis', 'euc-kr', 'gb18030', 'big5'] as const),
] as const;
export type Encoding = (typeof ENCODINGS)[number];
export type Delimiter = ',' | ';' | '\t' | '|' | ' ' | '';

export interface DocumentFormat {
  readonly kind: DocumentKind;
  readonly encoding: Encoding;
  /** A space stands for any run of blanks, the empty text for a single column. */
  readonly delimiter?: Delimiter;
  readonly decimal: '.' | ',';
  readonly thousands?: string | undefined;
  /** A pattern of patterns.ts for each column of the times, with ` + ` between, where one writes all of a column. */
  readonly dateFormat?: string | undefined;
  readonly header: boolean;
  readonly skippedLines: number;
}

/** What the times of a series are: instants, whole days, labels of months or longer, or row numbers. */
export type TimeKind = 'instant' | 'date' | 'period' | 'row';

export type LineRange = readonly [first: number, last: number];

export interface Remark {
  readonly kind: 'merged' | 'left-out' | 'totals' | 'missing' | 'cut' | 'offset';
  readonly rows: number;
  readonly text: string;
  readonly lines: readonly LineRange[];
}

/** Only the last points of longer series go along with a request: what lies so far back tells a forecast nothing. */
export const MOST_POINTS = 50_000;

export interface KnownColumn {
  readonly name: string;
  readonly kind: 'number' | 'switch' | 'text';
  readonly texts?: readonly string[];
  /** One for each of the series' times, then for each of the future times; `NaN` where nothing is written. */
  readonly values: Float64Array;
  readonly ahead: number;
  readonly isCalendar?: boolean;
}

export interface Beside {
  readonly futureTimes: Float64Array;
  readonly columns: readonly KnownColumn[];
}

/** One series of a document. `times` rise and are distinct; both arrays have the same length. */
export interface ReadSeries {
  /** Unique in its document: the id cells of a long file, else the name of the value column. */
  readonly id: string;
  readonly name: string;
  readonly valueColumn?: string | undefined;
  readonly timeColumn?: string | undefined;
  readonly idColumn?: string | undefined;
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** An offset such as `+09:00` or an IANA name; absent for UTC and where none is written. */
  readonly timeZone?: string | undefined;
  /** Epoch milliseconds; a time without a zone is taken as UTC, and rows without a time are a second apart from 1970. */
  readonly times: Float64Array;
  /** `NaN` where the value is missing. */
  readonly values: Float64Array;
  /** Absent for an irregular series and for rows without a time. */
  readonly frequency?: Frequency | undefined;
  readonly gaps: number;
  /** Steps without a row that come back every year, or that the calendar of a well-known market explains. */
  readonly holidays: number;
  /** `false` where a person said that no time is closed. */
  readonly closed?: false | undefined;
  readonly outside: number;
  readonly duplicates: number;
  readonly missing: number;
  readonly points: number;
  /** "Passengers · monthly · Jan 1949 – Dec 1960 · 144 points, no gaps". */
  readonly summary: string;
  readonly timeKind: TimeKind;
  readonly remarks: readonly Remark[];
  readonly aggregate?: Resampling | undefined;
  readonly beside?: Beside | undefined;
}

export type ProblemKind =
  | 'not-a-number'
  | 'not-a-time'
  | 'duplicate'
  | 'gap'
  | 'out-of-order'
  | 'clock-change'
  | 'ragged'
  | 'note'
  | 'closed';

/** Something about a line that the person may want to know or mend. Lines and columns count from 1; `endColumn` is exclusive. */
export interface Problem extends Phrase {
  readonly line: number;
  readonly column?: number | undefined;
  readonly endColumn?: number | undefined;
  /** Of a file that is no text, where it is in the words of its program: `Sales!B7`, `row 12`. */
  readonly place?: string | undefined;
  readonly severity: 'error' | 'warning' | 'info';
  readonly kind: ProblemKind;
  readonly series?: string | undefined;
  readonly places?: readonly (Phrase & Pick<Problem, 'line' | 'column' | 'endColumn' | 'place'>)[];
}

export interface LayoutChoice {
  readonly timeColumn?: string | null;
  readonly sheet?: string;
  readonly valueColumns?: readonly string[];
  readonly idColumns?: readonly string[];
  readonly dateOrder?: 'dmy' | 'mdy';
  readonly decimal?: '.' | ',';
  readonly delimiter?: Delimiter;
  readonly header?: boolean;
  readonly missingCode?: number | null;
  readonly frequency?: Frequency | null;
  readonly timeZone?: string;
  /** Whether rows that sum up the others are left out, as is usual, or are one more step. */
  readonly totals?: 'leave' | 'take';
  readonly aggregate?: Resampling | null;
  readonly closed?: boolean;
  readonly reading?: string;
  readonly covariates?: readonly string[];
}

export type Aggregate = 'sum' | 'count' | 'mean' | 'last' | 'min' | 'max';

export interface Resampling {
  readonly step: Frequency;
  readonly by: Aggregate;
}

export interface ColumnRole {
  readonly column: string;
  readonly role: 'time' | 'value' | 'key' | 'covariate' | 'left-out';
  readonly reason?: string;
}

export interface ReadingProposal {
  readonly id: string;
  readonly label: string;
  readonly reasons: readonly string[];
  readonly layout: LayoutChoice;
  readonly series: number;
  readonly points: number;
  readonly times: Float64Array;
  readonly values: Float64Array;
}

export const MOST_PREVIEWED = 200;
export const MOST_PROPOSALS = 6;

interface ChoiceOption {
  readonly label: string;
  readonly detail?: string | undefined;
  readonly layout: LayoutChoice;
}

export interface Choice {
  readonly kind:
    | 'value-columns'
    | 'date-order'
    | 'decimal'
    | 'time-column'
    | 'missing-code'
    | 'time-zone'
    | 'totals'
    | 'sheet'
    | 'aggregate'
    | 'reading';
  readonly question: string;
  readonly options: readonly ChoiceOption[];
  readonly suggested: number;
}

export interface ReadOptions {
  readonly fileName: string;
  readonly layout?: LayoutChoice;
  /** What becomes of cells that are no value: `error` is the default, the others report each as missing. */
  readonly missing?: 'error' | 'treat-as-missing' | 'report';
  readonly timeZone?: string;
}

export interface SeriesDocument {
  readonly format: DocumentFormat;
  readonly series: readonly ReadSeries[];
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  readonly choices: readonly Choice[];
  readonly roles: readonly ColumnRole[];
  readonly proposals: readonly ReadingProposal[];
  readonly isUncertain: boolean;
  readonly columns: readonly string[];
  readonly preview: readonly (readonly string[])[];
  readonly lines?: LineRange | undefined;
  readonly isNewestFirst?: boolean | undefined;
  readonly shape: string;
}

export const MOST_PROBLEMS = 1000;

type SeriesErrorReason =
  | 'empty'
  | 'binary'
  | 'no-numbers'
  | 'no-series'
  | 'broken-json'
  | 'not-a-number'
  | 'not-a-time'
  | 'ragged'
  | 'open-quote'
  | 'unknown-column'
  | 'too-large'
  | 'too-slow'
  | 'unreadable';

/** A document that cannot be read as asked. `message` is a sentence for people, with the way out. */
export class SeriesError extends Error {
  override readonly name = 'SeriesError';
  readonly reason: SeriesErrorReason;
  readonly phrase: Phrase;
  readonly line: number | undefined;
  readonly column: number | undefined;

  get canBePassedOver(): boolean {
    return ['not-a-number', 'not-a-time', 'ragged'].includes(this.reason);
  }

  constructor(
    reason: SeriesErrorReason,
    words: Phrase | string,
    at: { line?: number | undefined; column?: number | undefined } = {},
  ) {
    super(typeof words === 'string' ? words : words.message);
    this.phrase = typeof words === 'string' ? { message: words, template: '{0}', args: [words] } : words;
    this.reason = reason;
    this.line = at.line;
    this.column = at.column;
  }
}

export const choiceOf = (
  kind: Choice['kind'],
  question: Phrase,
  options: readonly (readonly [label: Phrase | string, layout: LayoutChoice, detail?: Phrase | string])[],
  suggested = 0,
): Choice => ({
  kind,
  question: question.message,
  options: options.map(([label, layout, detail]) => ({
    label: inWords(label),
    ...(detail === undefined ? {} : { detail: inWords(detail) }),
    layout,
  })),
  suggested,
});

const inWords = (text: Phrase | string): string => (typeof text === 'string' ? text : text.message);
