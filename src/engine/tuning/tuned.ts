import type { Settings } from '../settings.ts';

/** Settings that were chosen on a dataset; plain data that survives JSON. */
export interface TunedParameters {
  readonly version: 1;
  readonly settings: Settings;
  /** The weights of a net that was trained on the dataset, as base64; for the models with a net. */
  readonly weights?: string;
  /**
   * Factor on the odds of the net's share in `hybrid`, since a net that was trained on a dataset deserves more of it; 1
   * where it is missing, as in models of former versions.
   */
  readonly netOdds?: number;
}
