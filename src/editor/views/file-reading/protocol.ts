/** What the page "How This File Is Read" shows, and what the person can do there. */
import * as z from 'zod/mini';
import type { Frequency } from '../../../calendar/frequency.ts';

export const ROLES = ['time', 'value', 'key', 'covariate', 'left-out'] as const;
export type Role = (typeof ROLES)[number];

/** What becomes of the values within a step. */
export const AGGREGATES = ['sum', 'count', 'mean', 'last', 'min', 'max'] as const;

/** A step that rows are put together to. */
export interface Step {
  /** An ISO 8601 duration. */
  readonly code: string;
  /** `weekly`, `every 6 hours`. */
  readonly label: string;
}

/** What the page keeps over a reload: the file. */
export const ReadingRef = z.object({ uri: z.string() });
export type ReadingRef = z.infer<typeof ReadingRef>;

const Change = z.discriminatedUnion('type', [
  z.object({ type: z.literal('role'), column: z.string(), role: z.enum(ROLES) }),
  /** Reads the file as this proposal says. */
  z.object({ type: z.literal('proposal'), id: z.string() }),
  /** Puts the rows of each step, an ISO 8601 duration, together; `null`: rows as they are. */
  z.object({ type: z.literal('step'), step: z.nullable(z.string()) }),
  z.object({ type: z.literal('by'), by: z.enum(AGGREGATES) }),
  /** Whether days and hours that never occur are left out instead of counted as missing. */
  z.object({ type: z.literal('closed'), closed: z.boolean() }),
  /** Answers a question by the index of its option. */
  z.object({ type: z.literal('answer'), kind: z.string(), option: z.number() }),
  /** Draws this series. */
  z.object({ type: z.literal('series'), id: z.string() }),
  /** Reads the file without any choices. */
  z.object({ type: z.literal('reset') }),
]);
export type Change = z.infer<typeof Change>;

export const ReadingIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('change'), change: Change }),
  z.object({ type: z.literal('retry') }),
  z.object({ type: z.literal('lines'), first: z.number(), last: z.number() }),
  /** Goes on with the reading that is shown. */
  z.object({ type: z.literal('accept') }),
]);
export type ReadingIntent = z.infer<typeof ReadingIntent>;

/** A series as it is drawn; no more points than a screen has pixels. NaN breaks the line. */
export interface Drawn {
  /** Epoch milliseconds. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Milliseconds between two points from which on the line is broken. */
  readonly gap?: number;
}

export interface Column {
  readonly name: string;
  readonly role: Role;
  /** Why it was left out, where there is a reason. */
  readonly reason: string | null;
}

/** The first rows, and what their columns are for. */
export interface Rows {
  readonly columns: readonly Column[];
  readonly cells: readonly (readonly string[])[];
  /** Columns further right that are not shown. */
  readonly more: number;
}

/** A whole way to read the file. */
export interface Card {
  readonly id: string;
  readonly label: string;
  /** `2 series · 1,200 points`. */
  readonly size: string;
  readonly reasons: readonly string[];
  readonly drawn: Drawn;
  readonly isTaken: boolean;
}

export interface Question {
  readonly kind: string;
  readonly text: string;
  readonly options: readonly string[];
  readonly answer: number;
}

/** Steps, their aggregation, and closed time. */
export interface Grid {
  /** How often the rows come, in words; `null` where they have no regular step. */
  readonly pace: string | null;
  /** Steps that the rows can be put together to. */
  readonly steps: readonly Step[];
  /** The code of the one that is taken. */
  readonly step: string | null;
  readonly by: (typeof AGGREGATES)[number];
  /** `Mon–Sat`; `null` where no time is closed. */
  readonly open: string | null;
  /** Whether closed time is looked for. */
  readonly closed: boolean;
}

export interface SeriesView {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly drawn: Drawn;
  /** How its times are written. */
  readonly time: { readonly frequency: Frequency | null; readonly zone: string; readonly isOfRows: boolean };
  /** All of them, as far as a list is worth it. */
  readonly names: readonly { readonly id: string; readonly name: string }[];
  readonly count: number;
}

/** Something that was done with rows, or a problem of them. */
export interface ReportLine {
  readonly text: string;
  readonly lines: readonly (readonly [first: number, last: number])[];
}

export interface ReadingState {
  readonly ref: ReadingRef;
  readonly title: string;
  readonly fileName: string;
  /** What is done with the series next, as a button says it. */
  readonly purpose: string;
  /** Whether a change is being read. */
  readonly isReading: boolean;
  /** Whether no reading stands out, so the person is asked to check. */
  readonly isUncertain: boolean;
  /** Whether choices change how it is read. */
  readonly isChanged: boolean;
  /** Why it cannot be read so. */
  readonly problem: string | null;
  readonly rows: Rows | null;
  readonly cards: readonly Card[];
  readonly questions: readonly Question[];
  readonly grid: Grid | null;
  readonly series: SeriesView | null;
  readonly report: readonly ReportLine[];
}
