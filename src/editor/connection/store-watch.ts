import { watchDatabases } from '#platform/watch';

const DEBOUNCE = 500;

export function watchStore(folder: string, onChange: () => void, onProblem: (problem: unknown) => void) {
  let watcher: { close(): void } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, DEBOUNCE);
  };
  return {
    start(): void {
      try {
        watcher ??= watchDatabases(folder, changed, onProblem);
      } catch (problem) {
        onProblem(problem);
      }
    },
    dispose(): void {
      watcher?.close();
      clearTimeout(timer);
    },
  };
}
