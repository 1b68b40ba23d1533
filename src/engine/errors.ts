/** A question that the engine cannot answer; the message is a sentence for people. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
}

/** Input that no forecast can be made from. */
export class UnusableSeriesError extends EngineError {
  override readonly name = 'UnusableSeriesError';
}

/** A dataset without a series to learn from and to be checked on; the message is a sentence that says why. */
export class UnusableDatasetError extends EngineError {
  override readonly name = 'UnusableDatasetError';
}
