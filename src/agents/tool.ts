import * as z from 'zod/mini';
import { ServiceError } from '../client/errors.ts';
import { readAs } from '../contract/failures.ts';
import { SeriesError } from '../reading/types.ts';
import { type AgentContext, type Answer, type Call, ToolError } from './context.ts';

/** A tool as it is offered to agents, in the editor and by the MCP server. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the language model: when to use it and what it gives. */
  readonly description: string;
  /** Its schema’s descriptions are for the language model, so they show what a value looks like. */
  readonly input: z.core.$ZodType;
  /** Of the `data` of an answer that is no error; fields that it does not name are left out. */
  readonly output: z.core.$ZodType<Readonly<Record<string, unknown>>>;
  /** Whether it makes something that is stored; else it only reads. */
  readonly makes?: boolean;
  /** Whether it sends the person’s data to the service in use. */
  readonly sends?: boolean;
  /** Whether it takes minutes of computation. */
  readonly isLong?: boolean;
  /** Whether its answer is one prediction, which a chart can show. */
  readonly shows?: boolean;
  /** What the agent or the person can fix is an answer with `isError`. @throws the signal’s reason; defects */
  readonly run: (context: AgentContext, input: unknown, call: Call) => Promise<Answer>;
}

/** @param run may throw errors for the agent */
export function tool<S extends z.core.$ZodType>(
  about: Omit<Tool, 'input' | 'run'> & { readonly input: S },
  run: (context: AgentContext, input: z.core.output<S>, call: Call) => Promise<Answer>,
): Tool {
  return {
    ...about,
    run: async (context, raw, call) => {
      const parsed = readAs(about.input, raw ?? {});
      if (!parsed.success) return failed(new ToolError(faultsOf(parsed.error)));
      try {
        call.signal.throwIfAborted();
        const answer = await run(context, parsed.data, call);
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
  const faults = issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
  return `The input is not valid for this tool. ${faults.join(' ')}`;
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
