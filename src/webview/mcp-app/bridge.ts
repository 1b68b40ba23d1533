import { isRecord } from '../../editor/views/shared/protocol.ts';

/**
 * JSON-RPC with the chat that shows this page, as MCP Apps (2026-01-26) has it. The library for it weighs 540 KB, five
 * times the page.
 */
export interface Bridge {
  /** @throws Error with the host's sentence where it refuses */
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Hands over a message of the host; anything else is left alone. */
  receive(message: unknown): void;
}

/** Notifications of the host. */
export type Notifications = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => void>>;

interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}

/** @param send posts a message to the host */
export function createBridge(send: (message: object) => void, notifications: Notifications): Bridge {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const rpc = (message: object) => {
    send({ jsonrpc: '2.0', ...message });
  };
  return {
    request(method, params) {
      const id = ++last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        rpc({ id, method, params });
      });
    },
    notify(method, params) {
      rpc({ method, params });
    },
    receive(message) {
      if (!isRecord(message) || message['jsonrpc'] !== '2.0') return;
      const { id, method, params, result, error } = message;
      if (typeof method === 'string') {
        if (id !== undefined) answerTo(id, method);
        else if (Object.hasOwn(notifications, method)) notifications[method]!(isRecord(params) ? params : {});
        return;
      }
      const answer = typeof id === 'number' ? waiting.get(id) : undefined;
      if (!answer) return;
      waiting.delete(id as number);
      if (isRecord(error)) answer.reject(new Error(String(error['message'])));
      else answer.resolve(isRecord(result) ? result : {});
    },
  };

  function answerTo(id: unknown, method: string) {
    if (method === 'ping' || method === 'ui/resource-teardown') rpc({ id, result: {} });
    else rpc({ id, error: { code: -32601, message: `There is no method ${method}.` } });
  }
}
