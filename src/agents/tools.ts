import * as z from 'zod/mini';
import { ServiceError } from '../client/errors.ts';
import { readAs } from '../contract/failures.ts';
import { SeriesError } from '../reading/types.ts';
import { type AgentContext, type Answer, type Call, ToolError } from './context.ts';
import { compareModels, forecast } from './forecast.ts';
import {
  CompareModels,
  CreateModel,
  FindAnomalies,
  Forecast,
  InspectFile,
  ListModels,
  ListPredictions,
  ReadPrediction,
} from './inputs.ts';
import { findAnomalies } from './anomalies.ts';
import {
  Comparison,
  FoundAnomalies,
  InspectedFile,
  ModelList,
  OnePrediction,
  PredictionList,
  StartedTraining,
} from './outputs.ts';
import { inspectFile } from './inspect.ts';
import { createModel, listModels, listPredictions, readPrediction } from './stored.ts';

/** A tool as it is offered to agents, in the editor and by the MCP server. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the language model: when to use it and what it gives. */
  readonly description: string;
  readonly input: z.core.$ZodType;
  /** Of the `data` of an answer that is no error. */
  readonly output: z.core.$ZodType;
  /** Whether it makes something that is stored; else it only reads. */
  readonly makes?: boolean;
  /** Whether it sends the person's data to the service in use. */
  readonly sends?: boolean;
  /** Whether it takes minutes of computation. */
  readonly isLong?: boolean;
  /** Whether its answer is one prediction, which a chart can show. */
  readonly shows?: boolean;
  /** @throws nothing but the signal's reason and defects; all that the agent or the person can mend is an answer with `isError` */
  readonly run: (context: AgentContext, input: unknown, call: Call) => Promise<Answer>;
}

function tool<S extends z.core.$ZodType>(
  about: Omit<Tool, 'input' | 'run'>,
  input: S,
  work: (context: AgentContext, input: z.core.output<S>, call: Call) => Promise<Answer>,
): Tool {
  const run: Tool['run'] = async (context, raw, call) => {
    const parsed = readAs(input, raw ?? {});
    if (!parsed.success) return failed(new ToolError(faultsOf(parsed.error)));
    try {
      call.signal.throwIfAborted();
      return await work(context, parsed.data, call);
    } catch (error) {
      if (
        !call.signal.aborted &&
        (error instanceof ToolError || error instanceof SeriesError || error instanceof ServiceError)
      ) {
        return failed(error);
      }
      throw error;
    }
  };
  return { ...about, input, run };
}

function faultsOf({ issues }: z.core.$ZodError): string {
  const faults = issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
  return `The input is not valid for this tool. ${faults.join(' ')}`;
}

function failed(error: ToolError | SeriesError | ServiceError): Answer {
  const way =
    error instanceof SeriesError && error.canBePassedOver
      ? ' To read these cells as missing values, call again with "treat_as_missing": true, and tell the person.'
      : error instanceof ServiceError && error.kind === 'unauthorized'
        ? ' The person must set the token in the editor. Never ask for the token itself.'
        : '';
  return { text: `${error.message}${way}`, data: { error: error.message }, isError: true };
}

/** All tools, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  tool(
    {
      name: 'inspect_series_file',
      title: 'Inspect Series File',
      description:
        'Reads a CSV, TSV, JSON, NDJSON, Excel, or Parquet file with time series and reports its series, their frequency, range, and number of points, gaps, duplicates, and cells that are not numbers, which columns are known in advance, and which question a person would be asked about the file. Use it first for an unfamiliar file. Changes nothing.',
      output: InspectedFile,
    },
    InspectFile,
    inspectFile,
  ),
  tool(
    {
      name: 'forecast_series',
      title: 'Forecast Series',
      description:
        'Forecasts a time series from a file, or numbers given in the call, with prediction intervals and an accuracy measured on the series’ own history. Use it for every question about what comes next (“what will July be?”, “how sure is that?”, “the total of next year”) instead of estimating yourself.',
      output: OnePrediction,
      makes: true,
      sends: true,
      shows: true,
    },
    Forecast,
    forecast,
  ),
  tool(
    {
      name: 'compare_models',
      title: 'Compare Forecasting Models',
      description:
        'Forecasts a series with several models and compares their errors in the same backtest. Use it when the person asks which model to trust, or when forecast_series reports that the seasonal naive baseline did better.',
      output: Comparison,
      makes: true,
      sends: true,
    },
    CompareModels,
    compareModels,
  ),
  tool(
    {
      name: 'find_anomalies',
      title: 'Find Anomalies',
      description:
        'Finds anomalies in a time series (outliers, level shifts, stretches of unusual movement), with the expected value and how rare each is by chance. Use it for “is anything odd here?”, “when did it change?”, and before trusting a forecast.',
      output: FoundAnomalies,
      sends: true,
    },
    FindAnomalies,
    findAnomalies,
  ),
  tool(
    {
      name: 'list_predictions',
      title: 'List Forecasts',
      description: 'Lists the stored predictions of the current service with their IDs, one page at a time.',
      output: PredictionList,
    },
    ListPredictions,
    listPredictions,
  ),
  tool(
    {
      name: 'read_prediction',
      title: 'Read Forecast',
      description:
        'Reads a stored prediction by its ID: its steps with intervals, and its accuracy. Read long predictions in parts with from and steps.',
      output: OnePrediction,
      shows: true,
    },
    ReadPrediction,
    readPrediction,
  ),
  tool(
    {
      name: 'list_models',
      title: 'List Forecasting Models',
      description:
        'Lists the base models and the fine-tuned models of the current service, and whether the training of fine-tuned models is done.',
      output: ModelList,
    },
    ListModels,
    listModels,
  ),
  tool(
    {
      name: 'create_fine_tuned_model',
      title: 'Create Fine-Tuned Model',
      description:
        'Trains a model on the series of a file or of stored datasets. Takes seconds to minutes, and helps when many series behave alike. Use it only when the person asks for it.',
      output: StartedTraining,
      makes: true,
      sends: true,
      isLong: true,
    },
    CreateModel,
    createModel,
  ),
];

/** Whether the data of an answer is of the tool's schema. */
export const fits = ({ output }: Tool, data: unknown): boolean => z.safeParse(output, data).success;

/** The JSON schema of a tool's input, or of the data of its answers. */
export function jsonSchema(tool: Tool, io: 'input' | 'output'): { readonly type: 'object' } {
  const { $schema: _, ...schema } = z.toJSONSchema(tool[io], { io, unrepresentable: 'any' });
  return { ...schema, type: 'object' };
}
