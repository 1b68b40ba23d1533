/** A question that the engine cannot answer: a code, and values for its sentence. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
  readonly code: string;
  readonly params: readonly (string | number)[];

  constructor(code: string, ...params: readonly (string | number)[]) {
    super([code, ...params].join(' '));
    this.code = code;
    this.params = params;
  }
}

/** Input that no forecast can be made from. */
export class UnusableSeriesError extends EngineError {
  override readonly name = 'UnusableSeriesError';
}

/** A dataset without a series to learn from and to be checked on. */
export class UnusableDatasetError extends EngineError {
  override readonly name = 'UnusableDatasetError';
}
