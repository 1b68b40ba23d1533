/** What `tune` may choose for a statistical model, and what holds where nothing was tuned. */
export interface Settings {
  /** How far the autocorrelation at the period must stand out for a season, in standard errors. */
  readonly seasonalStrength: number;
  /** The share of the forecast's way from the last season that is kept from step to step; 1 keeps all. */
  readonly damping: number;
  /** Factor on the widths of the intervals. */
  readonly width: number;
}

export const baseSettings: Settings = { seasonalStrength: 1, damping: 1, width: 1 };

/** Settings that were chosen on a dataset; plain data that survives JSON. */
export interface TunedParameters {
  readonly version: 1;
  readonly settings: Settings;
  /** The weights of a net that was trained on the dataset, as base64; for the models with a net. */
  readonly weights?: string;
}
