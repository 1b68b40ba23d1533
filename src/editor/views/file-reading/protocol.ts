import * as z from 'zod/mini';
import type { Frequency } from '../../../calendar/frequency.ts';

const ROLES = ['time', 'value', 'key', 'covariate', 'left-out'] as const;
export type Role = (typeof ROLES)[number];

const AGGREGATES = ['sum', 'count', 'mean', 'last', 'min', 'max'] as const;

export interface Step {
  /** An ISO 8601 duration. */
  readonly code: string;
  /** `weekly`, `every 6 hours`. */
  readonly label: string;
}

export const ReadingRef = z.object({ uri: z.string() });
export type ReadingRef = z.infer<typeof ReadingRef>;

const Change = z.discriminatedUnion('type', [
  z.object({ type: z.literal('role'), column: z.string(), role: z.enum(ROLES) }),
  z.object({ type: z.literal('proposal'), id: z.string() }),
  /** An ISO 8601 duration; `null`: rows as they are. */
  z.object({ type: z.literal('step'), step: z.nullable(z.string()) }),
  z.object({ type: z.literal('by'), by: z.enum(AGGREGATES) }),
  /** Whether days and hours that never occur are closed instead of missing. */
  z.object({ type: z.literal('closed'), closed: z.boolean() }),
  z.object({ type: z.literal('answer'), kind: z.string(), option: z.number() }),
  z.object({ type: z.literal('series'), id: z.string() }),
  z.object({ type: z.literal('reset') }),
]);
export type Change = z.infer<typeof Change>;

export const ReadingIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('change'), change: Change }),
  z.object({ type: z.literal('retry') }),
  z.object({ type: z.literal('lines'), first: z.number(), last: z.number() }),
  z.object({ type: z.literal('accept') }),
]);
export type ReadingIntent = z.infer<typeof ReadingIntent>;

/** A series in no more points than a screen has pixels. NaN breaks the line. */
export interface Drawn {
  /** Epoch milliseconds. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Points so many milliseconds apart break the line. */
  readonly gap?: number;
}

export interface Column {
  readonly name: string;
  readonly role: Role;
  readonly reason: string | null;
}

export interface Rows {
  readonly columns: readonly Column[];
  readonly cells: readonly (readonly string[])[];
  readonly more: number;
}

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

export interface Grid {
  /** The step of the rows in words; `null` if irregular. */
  readonly rowStep: string | null;
  readonly steps: readonly Step[];
  readonly step: string | null;
  readonly by: (typeof AGGREGATES)[number];
  /** `Mon–Sat`; `null` if no time is closed. */
  readonly open: string | null;
  readonly closed: boolean;
}

export interface SeriesView {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly drawn: Drawn;
  readonly time: { readonly frequency: Frequency | null; readonly zone: string; readonly isOfRows: boolean };
  /** The first ones, for a list. */
  readonly names: readonly { readonly id: string; readonly name: string }[];
  readonly count: number;
}

export interface ReportLine {
  readonly text: string;
  readonly lines: readonly (readonly [first: number, last: number])[];
}

export interface ReadingState {
  readonly ref: ReadingRef;
  readonly title: string;
  readonly fileName: string;
  readonly purpose: string;
  readonly isReading: boolean;
  /** Whether proposals compete, so the person is asked to check. */
  readonly isUncertain: boolean;
  readonly isChanged: boolean;
  readonly problem: string | null;
  readonly rows: Rows | null;
  readonly cards: readonly Card[];
  readonly questions: readonly Question[];
  readonly grid: Grid | null;
  readonly series: SeriesView | null;
  readonly report: readonly ReportLine[];
}
