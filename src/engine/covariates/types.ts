/** What is known of each step of the history and of the future. */
export interface Covariate {
  readonly name: string;
  /** One value per step, first those of the history; `NaN` where it is not known. */
  readonly values: Float64Array;
}

/** What covariates do to a series, as a way of learning it sees it. */
export interface Effect {
  /** Of each step of the history, as foretold from other parts of it, and of the future. */
  readonly values: Float64Array;
  /** The same for other values of the covariates, from a step on; 0 before it. */
  readonly of: (covariates: readonly Covariate[], from: number) => Float64Array;
}

/** The steps of a series that effects are learned from. */
export interface Lesson {
  /** The history on the scale on which effects add up; `NaN` where a value is missing. */
  readonly values: Float64Array;
  readonly covariates: readonly Covariate[];
  readonly periods: readonly number[];
  /** Steps of history and future. */
  readonly length: number;
}
