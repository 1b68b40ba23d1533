import { isRecord } from '../../editor/views/shared/protocol.ts';

export type Params = Readonly<Record<string, unknown>>;

/**
 * JSON-RPC with the chat that shows this page, as MCP Apps (2026-01-26) has it. The library for it weighs 540 KB, five
 * times the page.
 */
export interface Bridge {
  /** @throws Error with the host's sentence where it refuses */
  request(method: string, params: Params): Promise<Params>;
  notify(method: string, params: Params): void;
  /** Hands over a message of the host; anything else is left alone. */
  receive(message: unknown): void;
}

/** @param send posts a message to the host @param notifications of the host, by their methods */
export function createBridge(
  send: (message: object) => void,
  notifications: Readonly<Record<string, (params: Params) => void>>,
): Bridge {
  const pending = new Map<unknown, { resolve: (result: Params) => void; reject: (error: Error) => void }>();
  const rpc = (message: object) => send({ jsonrpc: '2.0', ...message });
  let last = 0;
  return {
    request(method, params) {
      const id = ++last;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        rpc({ id, method, params });
      });
    },
    notify: (method, params) => rpc({ method, params }),
    receive(message) {
      if (!isRecord(message) || message['jsonrpc'] !== '2.0') return;
      const { id, method, params, result, error } = message;
      if (typeof method !== 'string') {
        const answer = pending.get(id);
        pending.delete(id);
        if (isRecord(error)) answer?.reject(new Error(String(error['message'])));
        else answer?.resolve(isRecord(result) ? result : {});
      } else if (id === undefined) {
        if (Object.hasOwn(notifications, method)) notifications[method]!(isRecord(params) ? params : {});
      } else if (method === 'ping' || method === 'ui/resource-teardown') rpc({ id, result: {} });
      else rpc({ id, error: { code: -32601, message: `There is no method ${method}.` } });
    },
  };
}
