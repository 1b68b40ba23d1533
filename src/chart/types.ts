/** What a chart shows, as data: made from a prediction, drawn by a page or as a picture. Sentences come ready for the person. */

/** Something the person can do, shown as a button. The id comes back in an `action` message. */
export type Action = Readonly<Record<'id' | 'label', string>>;

/** Observations or forecast steps, times ascending. Both arrays have the same length; NaN is a missing value. */
export interface Points {
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** A central prediction interval: `level` per cent of outcomes are expected between `lower` and `upper`. */
export interface Interval {
  /** In per cent, such as 80. */
  readonly level: number;
  /** One number for each forecast step; NaN where the service gave none. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** The forecast: its values are the median, or the point forecast where the service gives no quantiles. */
export interface Forecast extends Points {
  /** Widest first; may be empty. */
  readonly intervals: readonly Interval[];
}

export interface ReadingRemark {
  /** Without an end, such as `58 rows were merged into another of the same time, as the mean`. */
  readonly text: string;
  /** Ranges of lines, from 1, both ends included; the page links to them where there are any. */
  readonly lines: readonly (readonly [first: number, last: number])[];
  readonly action?: Action;
}

export interface Figure {
  readonly text: string;
  readonly about: string;
  readonly isPoor: boolean;
}

export interface Notice {
  readonly sentence: string;
  readonly actions: readonly Action[];
}

export interface KnownColumn {
  readonly name: string;
  /** A switch is 0 or 1; a text the place of its word in `texts`. */
  readonly kind: 'number' | 'switch' | 'text';
  readonly texts?: readonly string[];
  /** One for each moment; NaN where it is not known. */
  readonly values: Float64Array;
}

export interface Known {
  readonly times: Float64Array;
  readonly columns: readonly KnownColumn[];
}

export interface ChartView {
  readonly title: string;
  /** The data in one line: `Passengers · monthly · Jan 1949 – Dec 1960 · 144 points, no gaps`. */
  readonly summary: string;
  readonly reading?: readonly Action[];
  /** The forecast in a few words: `24 months ahead by ensemble`. */
  readonly detail?: string;
  readonly figures: readonly Figure[];
  readonly advice?: Notice;
  readonly actions?: readonly Action[];
  readonly menu?: readonly Action[];
  readonly warnings: readonly string[];
  /** What was done with rows of the file; absent for series without a file. */
  readonly remarks?: readonly ReadingRemark[];
  /** ISO 8601 duration of one step, such as `P1M` or `PT15M`; absent where the series has no regular step. */
  readonly frequency?: string;
  /** Whether times only count the rows of a series without any time: a second apart from 1970, the first row at 0. */
  readonly rows?: boolean;
  /** Time zone in which times are shown: `UTC`, an offset such as `+09:00`, or an IANA name. */
  readonly timeZone: string;
  readonly valueLabel: string;
  readonly history: Points;
  /** Absent where the service sent none; the page then says so. */
  readonly forecast?: Forecast;
  /** Beyond this time (epoch milliseconds) nothing in the history supports the forecast, which fades from there. */
  readonly supportedUntil?: number;
  readonly known?: Known;
}
