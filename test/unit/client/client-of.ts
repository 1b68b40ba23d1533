import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { ServiceError } from '../../../src/client/errors.ts';

export const monthly = Array.from({ length: 48 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2020, month, 1)).toISOString(),
  value: 100 + month + 20 * Math.sin((month * Math.PI) / 6),
}));

export type Answer = (request: Request) => Response | Promise<Response>;

/** A client whose service is this function; `sleeps` are the waits before retries. */
export function clientOf(answer: Answer, options: { token?: string; timeout?: number; description?: unknown } = {}) {
  const requests: Request[] = [];
  const sleeps: number[] = [];
  const client = new ServiceClient({
    baseUrl: parseBaseUrl('https://forecasts.example.com/v1/'),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.url.endsWith('/openapi.json')) {
        return options.description ? Response.json(options.description) : new Response('Not Found', { status: 404 });
      }
      requests.push(request);
      return answer(request);
    },
    token: () => Promise.resolve(options.token ?? 's3cret-token'),
    timeout: options.timeout,
    sleep: (ms) => {
      sleeps.push(ms);
      return Promise.resolve();
    },
  });
  return { client, requests, sleeps };
}

/** The error of a call that must fail. */
export const fails = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error = await work.then(
    () => assert.fail('no error'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
};
