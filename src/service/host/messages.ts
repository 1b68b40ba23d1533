/** What the extension host and the service's thread say to each other: HTTP exchanges, by number. */
import type { Failure } from '../../contract/failures.ts';
import type { Repair } from '../database/repair.ts';

export interface ThreadData {
  readonly folder: string;
  readonly token: string;
  readonly computeScript: string;
  readonly keepDays: number;
}

export type ToService =
  | {
      readonly type: 'request';
      readonly id: number;
      readonly method: string;
      readonly url: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: ArrayBuffer | undefined;
    }
  | { readonly type: 'abort'; readonly id: number }
  /** Sets a damaged database aside and saves what can be read of it. */
  | { readonly type: 'repair'; readonly id: number }
  | { readonly type: 'keep'; readonly days: number }
  | { readonly type: 'close' };

export type FromService =
  | {
      readonly type: 'response';
      readonly id: number;
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      /** As a stream where it comes in parts, each when it is asked for. */
      readonly body: ArrayBuffer | ReadableStream<Uint8Array> | undefined;
    }
  | { readonly type: 'repaired'; readonly id: number; readonly repair: Repair }
  | { readonly type: 'unavailable'; readonly id: number; readonly failure: Failure; readonly isDamaged: boolean }
  | { readonly type: 'report'; readonly text: string };
