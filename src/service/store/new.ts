/** What is to be stored: requests whose series are ready for it. */
import type { BodyOf } from '../../contract/operations.ts';
import type { Bounds } from '../../contract/requests.ts';
import type { PreparedSeries } from './points.ts';

/** A dataset that is to be stored. */
export interface NewDataset {
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Whether it is for forecasts or a training, and nobody asked for a dataset. */
  readonly for_job?: boolean | undefined;
  /** Equal for datasets of the same series: made of them, or `=` and what the client says of those that are yet to come. */
  readonly digest?: string | undefined;
  readonly series: readonly { readonly name?: string | undefined; readonly series: PreparedSeries }[];
}

/** A request whose series, where it has one, is ready to be stored. */
export interface NewPrediction extends BodyOf<'predictDataset'> {
  readonly series?: PreparedSeries | undefined;
  readonly series_id?: string | undefined;
  readonly is_async?: boolean | undefined;
  readonly name?: string | undefined;
  readonly bounds?: Bounds | undefined;
  readonly requested_by?: string | undefined;
}
