import { once } from 'node:events';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import type { Front } from './front.ts';
import type { Log } from './log.ts';

export interface Address {
  readonly port: number;
  readonly host: string;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** Milliseconds for the head of a request, and for its body: a stream may take a night. */
const HEAD = 20_000;
const BODY = 86_400_000;
const CERTIFICATE_CHECK = 60_000;

export class ListenError extends Error {}

/** Serves over HTTP, or HTTPS with a certificate, which is read again when one of its files changes. @throws ListenError */
export async function listen(front: Front, { port, host, tls }: Address, log: Log) {
  const listener = getRequestListener((request, { incoming }) => front(request, incoming.socket.remoteAddress), {
    overrideGlobalObjects: false,
  });
  const options = { headersTimeout: HEAD, requestTimeout: BODY, connectionsCheckingInterval: 5_000 };
  const underWay = new Set<ServerResponse>();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    listener(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'request');
      response.destroy();
    });
  };
  const server = tls
    ? createHttpsServer({ ...read(tls), ...options, handshakeTimeout: HEAD }, answer)
    : createHttpServer(options, answer);
  // with TLS, a client that sent nothing has no connection of HTTP yet, and would hold up the end
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const renew = () => {
    try {
      if (tls && 'setSecureContext' in server) server.setSecureContext(read(tls));
      log.info('certificate read again');
    } catch (error) {
      log.error({ err: error }, 'certificate');
    }
  };
  await once(server.listen(port, host), 'listening').catch((cause: Error) => {
    const sentence = `The service cannot listen on ${host}, port ${port}: ${cause.message}. Choose others with --host and --port.`;
    throw new ListenError(sentence, { cause });
  });
  const watched = tls ? [tls.cert, tls.key] : [];
  for (const file of watched) watchFile(file, { interval: CERTIFICATE_CHECK, persistent: false }, renew);
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `${tls ? 'https' : 'http'}://${name}:${(server.address() as AddressInfo).port}`,
    /** Takes no more calls; resolves when the last one is answered, or `grace` milliseconds later. */
    close: async (grace: number): Promise<void> => {
      for (const file of watched) unwatchFile(file, renew);
      const closed = once(server.close(), 'close');
      // nothing more comes over these connections: kept open, they would be waited for
      for (const response of underWay) response.shouldKeepAlive = false;
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, grace);
      await closed;
      clearTimeout(timer);
    },
  };
}

function read({ cert, key }: NonNullable<Address['tls']>): { cert: Buffer; key: Buffer } {
  try {
    const certificate = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(certificate);
    return certificate;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ListenError(`The certificate ${cert} with the key ${key} cannot be used: ${reason}.`, { cause });
  }
}
