import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { printable } from '../contract/texts.ts';
import { type ListName, type Operation, type OperationName, operations } from '../contract/operations.ts';
import { page } from '../contract/resources.ts';
import { keyOf } from './capabilities.ts';
import type { ServiceClient } from './client.ts';
import { ServiceError } from './errors.ts';
import { orderOf } from './lists.ts';
import { ended, Poller } from './poller.ts';

interface Found {
  readonly finding: string;
  readonly deviations?: readonly (string | false)[];
  readonly usable?: boolean;
}
type Report = Awaited<ReturnType<typeof checkService>>;

interface CheckOptions {
  readonly create?: boolean;
  readonly model?: string | undefined;
  readonly onProgress?: (line: string) => void;
  readonly late?: number;
  readonly signal?: AbortSignal | undefined;
}

const SMALL = Array.from({ length: 24 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2022, month, 1)).toISOString().replace('.000Z', 'Z'),
  value: 100 + month + (month % 12 < 6 ? 8 : 0),
}));

const ENVELOPE = Object.keys(page(z.unknown()).def.shape);

const FIVE = (Object.entries(operations) as [OperationName, Operation][]).filter(([, { core }]) => core);

/** Creations are probed with a body that is no JSON, which can create nothing: refusing it shows that they are there. */
export async function checkService(client: ServiceClient, options: CheckOptions = {}) {
  const found = [await timed('Authorization', (limited) => authorization(client, limited), options)];
  const isAccepted = found[0].usable;
  const creates = options.create === true && isAccepted;
  for (const [name, operation] of FIVE) {
    const isMade = creates && name === 'createPrediction';
    const work = (limited: AbortSignal) => {
      if (operation.item) return list(client, name as ListName, limited);
      return isMade ? create(client, options.model, limited) : probe(client, operation.path, isAccepted, limited);
    };
    found.push(await timed(keyOf(operation), work, options, isMade ? 120_000 : undefined));
  }
  options.signal?.throwIfAborted();
  const offers = await client.capabilities().catch(() => undefined);
  const { cursor, size = '–' } = client.learned.paging;
  const notes = [
    cursor !== undefined && l10n.t('Pages are requested with {0}, their size with {1}.', cursor, size),
    !offers?.isDescribed &&
      l10n.t(
        'Unknown without a description: which fields are required, how large pages and series may be, and what else the service offers.',
      ),
    !creates && l10n.t('Not tested: creating a prediction.'),
    l10n.t('Not tested: creating a fine-tuned model, which may take long and cannot be undone.'),
  ];
  return {
    baseUrl: client.options.baseUrl.href,
    usable: found.every(({ usable }) => usable),
    operations: found,
    elsewhere: await client.elsewhere().catch(() => undefined),
    untried: notes.filter((one) => one !== false),
    announced: offers?.operations.filter((one) => FIVE.every(([, operation]) => keyOf(operation) !== one)) ?? [],
  };
}

async function timed(
  operation: string,
  work: (signal: AbortSignal) => Promise<Found>,
  { onProgress, late = 10_000, signal }: CheckOptions,
  limit = 60_000,
) {
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  const progress = setInterval(() => {
    onProgress?.(l10n.t('… {0} is still running after {1} s', operation, Math.round(took() / 1000)));
  }, late);
  const limited = AbortSignal.timeout(limit);
  const failed = (error: unknown): Found => {
    signal?.throwIfAborted();
    if (limited.aborted) return { usable: false, finding: l10n.t('does not answer within {0} s', limit / 1000) };
    if (!(error instanceof ServiceError)) throw error;
    return { usable: false, finding: error.message };
  };
  const found = await work(signal ? AbortSignal.any([signal, limited]) : limited)
    .catch(failed)
    .finally(() => clearInterval(progress));
  const deviations = (found.deviations ?? []).filter((one) => one !== false);
  const checked = { operation, usable: true, ...found, deviations, milliseconds: took() };
  for (const line of linesOf(checked)) onProgress?.(line);
  return checked;
}

/** Tested with a list, as many services check the body of a creation before the token. */
async function authorization(client: ServiceClient, signal: AbortSignal): Promise<Found> {
  await client.lists.ask('listPredictions', { size: 1, signal });
  try {
    const { method, path } = operations.listPredictions;
    await client.call({ method, path, signal, isAnonymous: true });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { finding: l10n.t('the token is accepted; without one the answer is {0}', error.status ?? error.kind) };
  }
  return { finding: l10n.t('the token is accepted'), deviations: [l10n.t('also answers without a token')] };
}

async function list(client: ServiceClient, name: ListName, signal: AbortSignal): Promise<Found> {
  const read = (cursor?: string) => client.lists.ask(name, { size: 5, cursor, signal });
  const { page, body } = await read();
  const { items, total, unreadable, next } = page;
  const second = next === undefined ? [] : (await read(next)).page.items;
  const count =
    total === undefined ? l10n.t('lists {0}', items.length) : l10n.t('lists {0} of {1}', items.length, total);
  const order = orderOf([...items, ...second]);
  const missing = Array.isArray(body) ? [] : ENVELOPE.filter((field) => !(field in (body as object)));
  return {
    finding: order ? `${count}, ${order === 'oldest' ? l10n.t('oldest first') : l10n.t('newest first')}` : count,
    deviations: [
      Array.isArray(body) && l10n.t('returns a bare list instead of a page'),
      missing.length > 0 && l10n.t('the page has no {0}', missing.join(', ')),
      unreadable.length > 0 &&
        l10n.t('{0} items do not have the expected format ({1})', unreadable.length, unreadable[0]),
      second.length > 0 && second[0].id === items[0]?.id && l10n.t('the second page repeats the first'),
    ],
  };
}

async function create(client: ServiceClient, model: string | undefined, signal: AbortSignal): Promise<Found> {
  const isMissing = model === undefined && (await client.requiresModel('createPrediction'));
  const advice = l10n.t('requires a model according to its description. Name one with --model ID');
  if (isMissing) return { usable: false, finding: advice };
  const made = await client.createPrediction({ series: SMALL, ai_model_id: model }, signal);
  const poller = new Poller<typeof made>((ids, stop) => client.findPredictions(ids, stop), 2_000);
  const { id, status, error, prediction_series: ahead, input_series: past } = await ended(poller, made, signal);
  const finding = l10n.t('created prediction {0}, {1}', id, status);
  if (status === 'FAILED')
    return { usable: false, finding: `${finding}: ${error ?? l10n.t('the service gives no reason')}` };
  const deviations = [
    status !== 'COMPLETED' && l10n.t('unknown status {0}', status),
    !ahead && l10n.t('{0} without {1}', status, 'prediction_series'),
    !past && l10n.t('the prediction has no {0}', 'input_series'),
  ];
  return { finding, deviations, usable: ahead !== undefined };
}

async function probe(client: ServiceClient, path: string, isAccepted: boolean, signal: AbortSignal): Promise<Found> {
  try {
    await client.call({ method: 'POST', path, body: '{', signal });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'refused') throw error;
    const finding = l10n.t('available: it rejects a body that is not JSON');
    if (isAccepted) return { finding };
    return { usable: false, finding: l10n.t('{0}; could not check whether it accepts the token', finding) };
  }
  return { finding: l10n.t('available'), deviations: [l10n.t('accepts a body that is not JSON')] };
}

const linesOf = ({ operation, usable, finding, deviations, milliseconds }: Report['operations'][number]): string[] => [
  printable(`${usable ? '✓' : '✗'} ${operation.padEnd(24)} ${String(milliseconds).padStart(6)} ms  ${finding}`),
  ...deviations.map((deviation) => printable(`    ${l10n.t('deviates: {0}', String(deviation))}`)),
];

export function verdictOf({ usable, elsewhere, untried, announced }: Report): string[] {
  const lines = [
    announced.length > 0
      ? l10n.t('Also announced: {0}', announced.join(', '))
      : l10n.t('Announces no further operations.'),
    usable ? l10n.t('Everything that was tested works.') : l10n.t('Some of it does not work.'),
    elsewhere !== undefined &&
      l10n.t('The service’s description lists the operations under {0}. Use that base URL.', elsewhere),
    ...untried,
  ];
  return lines.filter((line) => line !== false).map(printable);
}

export function reportText(report: Report): string {
  const parts = [[l10n.t('Service {0}', report.baseUrl)], report.operations.flatMap(linesOf), verdictOf(report)];
  return parts.map((lines) => `${lines.join('\n')}\n`).join('\n');
}
