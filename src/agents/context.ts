import type { ServiceClient } from '../client/client.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../contract/resources.ts';
import type { NamedDay } from '../reading/holidays/library.ts';
import type { LayoutChoice, ReadOptions, ReadSeries, SeriesDocument } from '../reading/types.ts';

/** The service that the tools ask. */
export interface AgentService {
  readonly client: ServiceClient;
  /** What a person calls it. */
  readonly name: string;
  /** Whether what is sent to it stays on this machine. */
  readonly isLocal: boolean;
}

/** A file that was read for an agent. */
export interface AgentDocument {
  readonly fileName: string;
  readonly document: SeriesDocument;
}

/** How a file is to be read. */
export interface AgentReading {
  readonly layout: LayoutChoice;
  readonly missing: NonNullable<ReadOptions['missing']>;
}

/** What a forecast was made from. */
export interface Origin extends Partial<AgentDocument> {
  /** As the agent named it. */
  readonly file?: string | undefined;
  readonly label: string;
  readonly series: ReadSeries;
}

/** What the tools stand on: the editor hands in its own, the MCP server others. */
export interface AgentContext {
  /** @throws ServiceError where no service can be asked */
  readonly service: () => Promise<AgentService>;
  /** @throws {@link ToolError} where the agent may not read it; SeriesError where it is no series file */
  readonly read: (file: string, reading: AgentReading, signal: AbortSignal) => Promise<AgentDocument>;
  /** Stores the series of a file for a training. What is large is made ready off this thread. @throws ServiceError */
  readonly store: (
    client: ServiceClient,
    name: string,
    series: readonly ReadSeries[],
    signal: AbortSignal,
  ) => Promise<{ readonly id: string }>;
  /** The holidays of a country or of a part of it. */
  readonly holidays: (place: string, years: readonly [first: number, last: number]) => Promise<readonly NamedDay[]>;
  /** The address that opens the chart of a prediction; `undefined` where nothing here shows charts. */
  readonly chartLink: (predictionId: string) => string | undefined;
  /** Called for each prediction made for an agent, before it has ended. */
  readonly onForecast?: (prediction: LocalPrediction, origin: Origin) => Promise<void>;
  /** Called for each model made for an agent. */
  readonly onModel?: (model: LocalFineTunedModel) => Promise<void>;
}

/** One call of a tool. */
export interface Call {
  readonly signal: AbortSignal;
  /** @param share of the work that is done, 0 to 1 */
  readonly progress: (share: number, message: string) => void;
}

/** What a tool answers. */
export interface Answer {
  /** For the language model: compact, complete without `data`. */
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** Something that the agent can mend itself; the message says how. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
