import { blobOf, GLOBAL, type Programs } from './programs.ts';
import type { Script } from './threads.ts';

declare const timeSeriesForecasts: { readonly programs: Programs };

export const scriptsOf =
  () =>
  (name: string): Script => ({
    programs: timeSeriesForecasts.programs,
    address: async () => started(await timeSeriesForecasts.programs.address(`./${name}.mjs`)),
  });

export const runtime: string | undefined = undefined;

/** A classic worker, which imports its program as a module and holds its first message until then. */
const started = (program: string): string =>
  blobOf(`
    const ask = (kind, name) => new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => { port1.close(); resolve(data); };
      postMessage({ kind, name, answer: port2 }, [port2]);
    });
    ${GLOBAL} = {
      ask,
      start: new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true })),
      load: async (name) => import(await ask('address', name)),
    };
    import('${program}').catch((error) => setTimeout(() => { throw error; }));
  `);
