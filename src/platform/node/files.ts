import { createReadStream, readFileSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';

export { isAbsolute } from 'node:path';

/** In bytes; 0 of a file that cannot be looked at. */
export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

export const readParts = (path: string): AsyncIterable<Uint8Array> =>
  createReadStream(path, { highWaterMark: 1 << 20 });

export const readWhole = (path: string): Promise<Uint8Array> => readFile(path);

export const readText = (path: string): string => readFileSync(path, 'utf8');

/** A file that is read where it is asked for, for as long as `work` takes. @throws the system's error */
export async function reading<T>(
  path: string,
  work: (file: { readonly byteLength: number; slice(start: number, end?: number): Promise<ArrayBuffer> }) => Promise<T>,
): Promise<T> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const slice = async (start: number, end = size) => {
      const first = start < 0 ? size + start : start;
      const part = new Uint8Array(Math.max(0, Math.min(end, size) - first));
      await handle.read(part, 0, part.length, first);
      return part.buffer;
    };
    return await work({ byteLength: size, slice });
  } finally {
    await handle.close();
  }
}
