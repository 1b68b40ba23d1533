import { performance } from 'node:perf_hooks';
import type { JobKind, Together } from './queue.ts';

/** Told of each end of a job, once it is written, with the seconds since it began; its share where it was one of many. */
export type OnEnded = (kind: string, outcome: 'completed' | 'failed', seconds: number) => void;

/** These kinds of jobs, of which each end is told. */
export function watched(kinds: Readonly<Record<string, JobKind>>, onEnded: OnEnded): Record<string, JobKind> {
  const watch = (name: string, kind: JobKind): JobKind => {
    const began = new Map<string, number>();
    const ended = (id: string, outcome: 'completed' | 'failed') => {
      onEnded(name, outcome, (performance.now() - (began.get(id) ?? performance.now())) / 1000);
      began.delete(id);
    };
    const together = (many: Together): Together => ({
      parts: (ids) => many.parts(ids),
      run: async (part, signal) => {
        const from = performance.now();
        const { ids, write } = await many.run(part, signal);
        const seconds = (performance.now() - from) / 1000 / ids.length;
        return {
          ids,
          write: async (db, wanted) => {
            await write(db, wanted);
            for (let n = 0; n < wanted.size; n++) onEnded(name, 'completed', seconds);
          },
        };
      },
    });
    return {
      together: kind.together && together(kind.together),
      mark: (db, id, status) => kind.mark(db, id, status),
      progress: (db, id, progress) => kind.progress(db, id, progress),
      run: async (id, signal, events) => {
        began.set(id, performance.now());
        signal.addEventListener('abort', () => began.delete(id), { once: true });
        const write = await kind.run(id, signal, events);
        return async (db) => {
          await write(db);
          ended(id, 'completed');
        };
      },
      fail: async (db, id, message) => {
        await kind.fail(db, id, message);
        ended(id, 'failed');
      },
    };
  };
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, watch(name, kind)]));
}
