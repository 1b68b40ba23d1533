import type { ServiceClient } from '../../../../src/client/client.ts';
import { isGone } from '../../../../src/client/errors.ts';
import type * as vscode from 'vscode';
import type { LocalPrediction } from '../../../../src/contract/resources.ts';
import type { Connection, Session } from '../../../../src/editor/connection/connection.ts';
import { Person } from '../workbench/person.ts';
import { EventEmitter } from '../workbench/values.ts';
import { now } from '../workbench/vscode.ts';
import { WebviewPanel } from '../workbench/webview-panel.ts';
import { Window } from '../workbench/window.ts';

/** A window for each test with nothing of the extension in it, for panels that are handed what they need. */
export function useWindow(): () => Window {
  const { window: outside } = now;
  beforeEach(() => {
    now.window = new Window();
    now.window.person = new Person();
  });
  afterEach(() => {
    now.window.person.verify();
    now.window = outside;
  });
  return () => now.window;
}

/** A log that goes to the window of now. */
export const log = (): vscode.LogOutputChannel =>
  now.window.window.createOutputChannel() as unknown as vscode.LogOutputChannel;

/** A panel as VS Code hands it to a serializer. */
export const restoredPanel = (viewType: string, title = 'Restored') => {
  const panel = new WebviewPanel(viewType, title);
  return { panel, webview: panel as unknown as vscode.WebviewPanel };
};

/** Services by their ids, as the connection knows them; the test adds and takes away. */
export class Services {
  readonly sessions = new Map<string, Session>();
  readonly changed = new EventEmitter<void>();
  readonly connection: Connection;

  constructor(client: object, more: object = {}) {
    const watch = () => () => undefined;
    const session = { client: clientOf(client), info: { id: 'local', name: 'This computer', kind: 'local' }, predictions: { watch }, models: { watch }, ...more }; // prettier-ignore
    this.sessions.set('local', session as unknown as Session);
    this.connection = {
      session: (id: string) => this.sessions.get(id),
      onDidChange: this.changed.event,
      current: { id: 'local' },
    } as unknown as Connection;
  }
}

/** A client whose operations are these functions: of an id or of a body, lists of their query. */
export function clientOf(methods: object): ServiceClient {
  const all = methods as Record<string, (given: unknown) => unknown>;
  const called = (name: string, { id, body }: { id?: string; body?: unknown } = {}) => all[name](id ?? body);
  const found = (name: string) => async (ids: ReadonlySet<string>) => {
    const jobs: unknown[] = [];
    const { has } = (await all.capabilities(undefined)) as { has: (name: string) => boolean };
    for (const id of has(name) ? ids : [])
      await Promise.resolve(all[name](id)).then(
        (job) => jobs.push(job),
        (error: unknown) => {
          if (!isGone(error)) throw error;
        },
      );
    return { jobs, isAll: true };
  };
  return {
    do: called,
    list: (name: string, query: unknown) => all[name](query),
    findPredictions: found('getPrediction'),
    findModels: found('getFineTunedModel'),
    ...methods,
  } as unknown as ServiceClient;
}

/** What a service announces: operations by name, and whether it takes any field. */
export const offering = (...names: readonly string[]) => ({
  has: (name: string) => names.includes(name),
  takes: (name: string) => names.includes(name),
  asks: () => false,
  rules: () => undefined,
  tellsOfModels: names.includes('getFineTunedModel'),
});

const day = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString();

/** A forecast of three days after so many. */
export const predictionOf = (id: string, more: Partial<LocalPrediction> = {}, days = 10): LocalPrediction => ({
  id,
  status: 'COMPLETED',
  name: `series ${id}`,
  ai_model_id: 'theta',
  input_series: Array.from({ length: days }, (_, index) => ({ timestamp: day(index), value: index })),
  prediction_series: [0, 1, 2].map((step) => ({ timestamp: day(days + step), value: 10 + step })),
  ...more,
});

/** What a page was sent so far, put together. */
export const stateOf = <S>(panel: WebviewPanel): S =>
  Object.assign({}, ...panel.posted.map((message) => (message as { parts: Partial<S> }).parts)) as S;

/** Does what a person does on a page. */
export const act = (panel: WebviewPanel, intent: object): void => {
  panel.says({ type: 'intent', intent });
};

/** A promise that the test keeps or breaks. */
export function deferred<T>() {
  let keep!: (value: T) => void;
  let fail!: (error: unknown) => void;
  const promise = new Promise<T>((resolve, reject) => {
    keep = resolve;
    fail = reject;
  });
  return { promise, keep, fail };
}

/** All that can go on now has gone on. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};
