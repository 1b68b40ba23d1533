import * as z from 'zod/mini';
import { type ListName, type Operation, type OperationName, operations } from '../contract/operations.ts';
import { keyOf } from './capabilities.ts';
import type { ServiceClient } from './client.ts';
import { ServiceError } from './errors.ts';
import type { ListPage } from './page.ts';
import { page } from '../contract/resources.ts';

/** One operation as it was found. */
export interface CheckedOperation {
  /** Such as `GET /predictions`. */
  readonly operation: string;
  readonly usable: boolean;
  /** What was found, or why it cannot be used, in a sentence. */
  readonly finding: string;
  /** Where the answer is not what the interface says. */
  readonly deviations: readonly string[];
  readonly milliseconds: number;
}

export interface CheckReport {
  readonly baseUrl: string;
  /** Whether all five operations of the interface can be used. */
  readonly usable: boolean;
  readonly operations: readonly CheckedOperation[];
  /** Operations that the service announces beyond the five. */
  readonly announced: readonly string[];
}

/** Three months; small enough for any service. */
const SMALL = [112, 118, 132].map((value, month) => ({ timestamp: `2024-0${month + 1}-01T00:00:00Z`, value }));

const PAGE = page(z.unknown());

/** The five operations of the interface. */
const FIVE = (Object.entries(operations) as [OperationName, Operation][]).filter(([, { core }]) => core);

/**
 * Calls each list operation, and each create operation with a body that is no JSON and so can create nothing: a service
 * that has the operation refuses that body, one that has not does not know the path.
 */
export async function checkService(
  client: ServiceClient,
  signal?: AbortSignal,
  { create: creates = false }: { /** Also makes one small prediction. */ create?: boolean } = {},
): Promise<CheckReport> {
  const found: CheckedOperation[] = [];
  for (const [name, operation] of FIVE) {
    found.push(
      await timed(keyOf(operation), () => {
        if (operation.item) return list(client, name as ListName, operation.path, signal);
        const isMade = creates && name === 'createPrediction';
        return isMade ? create(client, signal) : probe(client, operation.path, signal);
      }),
    );
  }
  const five = FIVE.map(([, operation]) => keyOf(operation));
  const announced = await client.capabilities().then(
    (offers) => offers.operations.filter((operation) => !five.includes(operation)),
    () => [],
  );
  return { baseUrl: client.baseUrl.href, usable: found.every(({ usable }) => usable), operations: found, announced };
}

interface Found {
  readonly finding: string;
  readonly deviations: readonly string[];
}

async function timed(operation: string, work: () => Promise<Found>): Promise<CheckedOperation> {
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  try {
    const { finding, deviations } = await work();
    return { operation, usable: true, finding, deviations, milliseconds: took() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { operation, usable: false, finding: error.message, deviations: [], milliseconds: took() };
  }
}

async function list(
  client: ServiceClient,
  name: ListName,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const read: ListPage<unknown> = await client.list(name, { size: 5, signal });
  const raw = await client.call({ method: 'GET', path, query: { size: '5' }, signal });
  const total = read.total === undefined ? '' : ` of ${read.total}`;
  return {
    finding: `lists ${read.items.length}${total}`,
    deviations: [...envelopeDeviations(raw), ...unreadable(read)],
  };
}

async function create(client: ServiceClient, signal: AbortSignal | undefined): Promise<Found> {
  const made = await client.createPrediction({ series: SMALL }, signal);
  const deviations = [
    made.status === 'COMPLETED' && !made.prediction_series ? 'COMPLETED without prediction_series' : undefined,
    made.input_series ? undefined : 'the answer has no input_series',
  ].filter((deviation) => deviation !== undefined);
  return { finding: `made prediction ${made.id}, ${made.status}`, deviations };
}

async function probe(client: ServiceClient, path: string, signal: AbortSignal | undefined): Promise<Found> {
  try {
    await client.call({ method: 'POST', path, text: '{', signal });
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'refused') {
      return { finding: 'is there: it refuses a body that is no JSON', deviations: [] };
    }
    throw error;
  }
  return { finding: 'is there', deviations: ['accepts a body that is no JSON'] };
}

function envelopeDeviations(raw: unknown): string[] {
  if (Array.isArray(raw)) return ['answers with a bare list instead of a page'];
  const known = Object.keys(PAGE.def.shape);
  const fields = Object.keys(raw as object);
  const missing = known.filter((field) => !fields.includes(field));
  return missing.length > 0 ? [`the page has no ${missing.join(', ')}`] : [];
}

const unreadable = ({ unreadable: items }: ListPage<unknown>): string[] =>
  items.length > 0 ? [`${items.length} items are not of the interface’s form (${items[0]})`] : [];

/** The report as text for people. */
export function reportText({ baseUrl, usable, operations: checked, announced }: CheckReport): string {
  const lines = checked.flatMap(({ operation, usable: good, finding, deviations, milliseconds }) => [
    `${good ? '✓' : '✗'} ${operation.padEnd(24)} ${String(milliseconds).padStart(6)} ms  ${finding}`,
    ...deviations.map((deviation) => `    deviates: ${deviation}`),
  ]);
  const further =
    announced.length > 0 ? `Announced further: ${announced.join(', ')}` : 'Announces no further operations.';
  const verdict = usable ? 'All five operations can be used.' : 'Not all five operations can be used.';
  return [`Service ${baseUrl}`, '', ...lines, '', further, verdict, ''].join('\n');
}
