import type { HolidayPlace, NamedDay } from '../holidays/places.ts';
import type { Phrase } from '../phrase.ts';
import type { Beside, DocumentFormat, ReadOptions, ReadSeries, SeriesDocument, SeriesErrorReason } from '../types.ts';
import type { WritableSeries } from '../writing/write.ts';

/** A file of this machine is read as a stream. */
export type SourceOfDocument = { readonly path: string } | { readonly content: string | Uint8Array };

/** What a series needs to be sent to a service. */
export type SendableSeries = Pick<ReadSeries, 'times' | 'values' | 'timeKind' | 'timeZone' | 'closed'> & {
  readonly name?: string;
  /** What is known of its steps besides, to be sent along. */
  readonly known?: Beside | undefined;
};

export type ToReader =
  | { readonly type: 'read'; readonly source: SourceOfDocument; readonly options: ReadOptions }
  | {
      readonly type: 'send';
      readonly fields: Readonly<Record<string, unknown>>;
      readonly series: readonly SendableSeries[];
    }
  | {
      readonly type: 'send-lines';
      readonly series: readonly SendableSeries[];
      readonly ids: readonly string[] | undefined;
    }
  | {
      readonly type: 'write';
      readonly series: readonly WritableSeries[];
      readonly format: DocumentFormat;
      readonly isWorkbook: boolean;
    }
  | { readonly type: 'holidays'; readonly place: string; readonly years: readonly [first: number, last: number] }
  | { readonly type: 'places'; readonly within: string | undefined };

export type FromReader =
  | { readonly type: 'read'; readonly document: SeriesDocument }
  | {
      readonly type: 'refused';
      readonly phrase: Phrase;
      readonly reason: SeriesErrorReason;
      readonly line: number | undefined;
      readonly column: number | undefined;
    }
  | { readonly type: 'holidays'; readonly days: readonly NamedDay[] }
  | { readonly type: 'places'; readonly places: readonly HolidayPlace[] }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'failed'; readonly message: string };
