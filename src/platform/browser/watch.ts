export const watchDatabases = (): { close(): void } => ({ close: () => undefined });
