import type { Settings } from '../settings.ts';

/** Settings that were chosen on a dataset; plain data that survives JSON. */
export interface TunedParameters {
  readonly version: 1;
  readonly settings: Settings;
  /** The weights of a net that was trained on the dataset, as base64; for the models with a net. */
  readonly weights?: string;
}
