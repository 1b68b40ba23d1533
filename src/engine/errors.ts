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

export class UnusableDatasetError extends EngineError {
  override readonly name = 'UnusableDatasetError';
}
