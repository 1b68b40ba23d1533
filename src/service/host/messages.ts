/** What the extension host and the service's thread say to each other: HTTP exchanges, by number. */

/** How the thread is started. */
export interface ThreadData {
  readonly folder: string;
  readonly token: string;
  readonly computeScript: string;
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
  | { readonly type: 'close' };

export type FromService =
  | {
      readonly type: 'response';
      readonly id: number;
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: ArrayBuffer | undefined;
    }
  /** The service could not be opened; `message` is a sentence for the person. */
  | { readonly type: 'unavailable'; readonly id: number; readonly message: string }
  /** A defect, for the log. */
  | { readonly type: 'report'; readonly text: string };
