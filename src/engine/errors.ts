/** A question that the engine cannot answer; the message is a sentence for people. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
}

/** Input that no forecast can be made from. */
export class UnusableSeriesError extends EngineError {
  override readonly name = 'UnusableSeriesError';
}
