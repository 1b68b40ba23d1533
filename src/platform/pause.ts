/** Waits so many milliseconds, or until the signal is aborted, which it may be already. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await orAborted(time, signal).catch(() => undefined);
  clearTimeout(timer);
}

/** The result of the work, unless the signal is aborted before. @throws what the work throws; the signal’s reason */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => {
    reject(signal.reason as Error);
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
