/** A stopped program must exit within this many milliseconds, or its supervisor kills it. */
const MOST = 9_000;

/**
 * Ends the program once and in time, on a signal or when the npm that started it exits.
 * @param close releases everything
 * @param report is called if that failed
 */
export function endBySignal(close: () => Promise<void>, report: (error: unknown) => void): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => {
      report(new Error('The program was stopped before it had released everything.'));
      process.exit(1);
    }, MOST).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        report(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  endWithParent(end);
}

/** npm does not hand signals on through the shell. */
function endWithParent(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 500).unref();
}
