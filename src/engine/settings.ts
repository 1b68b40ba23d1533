/** What `tune` may choose for a model, and what holds where nothing was tuned. */
export interface Settings {
  /** A change of scale before everything else, for positive series; the models have their own ones besides. */
  readonly transform: 'none' | 'sqrt' | 'log';
  /** How far the autocorrelation at the period must stand out for a season, in standard errors. */
  readonly seasonalStrength: number;
  /** The share of the forecast's way from the last season that is kept from step to step; 1 keeps all. */
  readonly damping: number;
  /** A member of the ensemble, mixed in with the weight; only for the ensemble. */
  readonly member: string | undefined;
  readonly memberWeight: number;
  /** Factor on the widths of the intervals. */
  readonly width: number;
}

export const baseSettings: Settings = {
  transform: 'none',
  seasonalStrength: 1,
  damping: 1,
  member: undefined,
  memberWeight: 0,
  width: 1,
};
