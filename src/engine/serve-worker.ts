import type { MessagePort } from 'node:worker_threads';
import { backtest } from './backtest.ts';
import { forecast } from './forecast.ts';
import type { TunedParameters } from './tuning/statistical.ts';
import type { BacktestResult, EngineForecast, EngineInput } from './types.ts';

/** What a pool is asked for. */
export interface EngineJob {
  readonly modelId: string;
  readonly input: EngineInput;
  readonly tuned?: TunedParameters | undefined;
  /** Whether the answer is to say how the model does on the series' own past. */
  readonly backtest?: boolean;
}

export interface Answer {
  readonly forecast: EngineForecast;
  /** Missing where it was not asked for, or the series is too short. */
  readonly backtest?: BacktestResult | undefined;
}

/** From the pool to a worker. */
export interface JobMessage {
  readonly id: number;
  readonly job: EngineJob;
}

/** From a worker to the pool: an answer, or the sentence of an error. */
export type ReplyMessage =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly answer?: undefined; readonly message: string };

/** Answers the jobs of an `EnginePool` in a worker thread; call it with the thread's `parentPort`. */
export function serveEngine(port: MessagePort): void {
  port.on('message', ({ id, job }: JobMessage) => {
    const reply = answer(id, job);
    const buffers = reply.answer
      ? [reply.answer.forecast.point, ...reply.answer.forecast.quantiles].map(({ buffer }) => buffer as ArrayBuffer)
      : [];
    port.postMessage(reply, buffers);
  });
}

function answer(id: number, { modelId, input, tuned, backtest: wanted }: EngineJob): ReplyMessage {
  try {
    const result = forecast(modelId, input, tuned);
    const tested = wanted ? backtest(modelId, input, {}, tuned) : undefined;
    return { id, answer: { forecast: result, backtest: tested } };
  } catch (error) {
    return { id, message: error instanceof Error ? error.message : String(error) };
  }
}
