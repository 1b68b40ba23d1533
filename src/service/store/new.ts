/** What is to be stored: bodies of requests whose series are ready for it. */
import type { BodyOf, operations } from '../../contract/operations.ts';
import type { PreparedSeries } from './points.ts';

/** A body with the fields that its schema names, and others where it has any, but for its series. */
export type WithoutSeries<K extends keyof typeof operations> = {
  readonly [F in keyof BodyOf<K> as string extends F ? never : Exclude<F, 'series'>]: BodyOf<K>[F];
};

/** A dataset that is to be stored. */
export interface NewDataset extends WithoutSeries<'createDataset'> {
  /** Equal for datasets of the same series: made of them, or `=` and what the client says of those that are yet to come. */
  readonly digest?: string | undefined;
  readonly series: readonly { readonly name?: string | undefined; readonly series: PreparedSeries }[];
}

/** A body whose series, where it has one, is ready to be stored. */
export type Prepared<K extends 'createPrediction' | 'findAnomalies'> = WithoutSeries<K> & {
  readonly series?: PreparedSeries | undefined;
};
