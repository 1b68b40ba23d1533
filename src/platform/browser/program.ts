export const newOwner = (): string => crypto.randomUUID();

/** The store has one program at a time, which holds its lock: any other is gone. */
export const hasDied = (): boolean => true;
