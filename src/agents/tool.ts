import * as z from 'zod/mini';
import type { ServiceClient } from '../client/client.ts';
import { ServiceError } from '../client/errors.ts';
import { readAs } from '../contract/failures.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../contract/resources.ts';
import type { NamedDay } from '../reading/holidays/library.ts';
import { type ReadOptions, type ReadSeries, type SeriesDocument, SeriesError } from '../reading/types.ts';

export interface AgentDocument {
  readonly fileName: string;
  readonly document: SeriesDocument;
}

export type AgentReading = Required<Pick<ReadOptions, 'layout' | 'missing'>>;

export interface Origin extends Partial<AgentDocument> {
  readonly file?: string | undefined;
  readonly label: string;
  readonly series: ReadSeries;
}

export interface AgentContext {
  /** @throws ServiceError where no service can be asked */
  readonly service: () => Promise<{ readonly client: ServiceClient; readonly name: string }>;
  /** @throws {@link ToolError} where the agent may not read it; SeriesError where it is no series file */
  readonly read: (file: string, reading: AgentReading, signal: AbortSignal) => Promise<AgentDocument>;
  /** Stores series for a training. @returns the ID of the dataset @throws ServiceError */
  readonly store: (name: string, series: readonly ReadSeries[], signal: AbortSignal) => Promise<string>;
  readonly holidays: (place: string, years: readonly [first: number, last: number]) => Promise<readonly NamedDay[]>;
  /** The address that opens the chart of a prediction; `undefined` where nothing here shows charts. */
  readonly chartLink: (predictionId: string) => string | undefined;
  readonly onForecast?: (prediction: LocalPrediction, origin: Origin) => Promise<void>;
  readonly onModel?: (model: LocalFineTunedModel) => Promise<void>;
}

export interface Call {
  readonly signal: AbortSignal;
  /** @param share of the work that is done, 0 to 1 */
  readonly progress: (share: number, message: string) => void;
}

export type Work = AgentContext & Call;

export interface Answer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export const textOf = (...lines: readonly (string | false | undefined)[]): string => lines.filter(Boolean).join('\n');

export function ensure(condition: boolean, advice: string): asserts condition {
  if (!condition) throw new ToolError(advice);
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its schema’s descriptions are for the language model, so they show what a value looks like. */
  readonly input: z.core.$ZodType;
  /** Of the `data` of an answer that is no error; fields that it does not name are left out. */
  readonly output: z.core.$ZodType<Readonly<Record<string, unknown>>>;
  readonly makes?: boolean;
  readonly sends?: boolean;
  readonly isLong?: boolean;
  readonly shows?: boolean;
  /** What the agent or the person can fix is an answer with `isError`. @throws the signal’s reason; defects */
  readonly run: (context: AgentContext, input: unknown, call: Call) => Promise<Answer>;
}

export function tool<S extends z.core.$ZodType>(
  about: Omit<Tool, 'input' | 'run'> & { readonly input: S },
  run: (work: Work, input: z.core.output<S>) => Promise<Answer>,
): Tool {
  return {
    ...about,
    run: async (context, raw, call) => {
      const parsed = readAs(about.input, raw ?? {});
      if (!parsed.success) return failed(new ToolError(faultsOf(parsed.error)));
      try {
        call.signal.throwIfAborted();
        const answer = await run({ ...context, ...call }, parsed.data);
        return answer.isError ? answer : { ...answer, data: z.parse(about.output, answer.data) };
      } catch (error) {
        const isForAgent = [ToolError, SeriesError, ServiceError].some((kind) => error instanceof kind);
        if (call.signal.aborted || !isForAgent) throw error;
        return failed(error as Error);
      }
    },
  };
}

function faultsOf({ issues }: z.core.$ZodError): string {
  const faults = issues.slice(0, 5).map(({ path, message }) => [...(path.length > 0 ? [path.join('.')] : []), message]);
  return ['The input is not valid for this tool.', ...faults.map((fault) => fault.join(': '))].join(' ');
}

function failed(error: Error): Answer {
  const way =
    error instanceof SeriesError && error.canBePassedOver
      ? ' To read these cells as missing values, call again with "treat_as_missing": true, and tell the person.'
      : error instanceof ServiceError && error.kind === 'unauthorized'
        ? ' The person must set the token in the editor. Never ask for the token itself.'
        : '';
  return { text: `${error.message}${way}`, data: { error: error.message }, isError: true };
}

export function jsonSchema(tool: Tool, io: 'input' | 'output'): { readonly type: 'object' } {
  const { $schema: _, ...schema } = z.toJSONSchema(tool[io], { io, unrepresentable: 'any' });
  return { ...schema, type: 'object' };
}
