import { signal } from '@preact/signals';
import { type Decoration, PLAIN } from '../../../../src/chart/chart-traces.ts';
import type { Typed } from '../../../../src/webview/chart/kept.ts';

/** What a table knows of its page. @param suppose is told the scenario that is to be forecast */
export function tableState(suppose: (typed: Typed) => void = () => undefined) {
  const typed = signal<Typed>({ cells: [], name: '' });
  return {
    decoration: signal<Decoration>(PLAIN),
    canSuppose: signal(false),
    typed,
    suppose,
    type: (next: Typed) => {
      typed.value = next;
    },
  };
}
