const none = (path: string): never => {
  throw new Error(`${path}: no file system`);
};

export const sizeOf = none;
export const readParts = none;
export const readWhole = none;
export const readText = none;
export const reading = none;
export const isAbsolute = (path: string): boolean => path.startsWith('/');
