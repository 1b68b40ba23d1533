import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ensure, ToolError } from '../tool.ts';

/** The path of a file in one of these folders. Links are resolved first, so that none leads out. @throws ToolError */
export async function resolveIn(named: readonly string[], file: string): Promise<string> {
  const advice = 'Start it with --root FOLDER, or open a folder in the client.';
  ensure(named.length > 0, `This server may not read any folder. ${advice}`);
  ensure(!file.includes('\0'), 'The file name is not valid.');
  const folders = (await Promise.all(named.map(real))).filter((folder) => folder !== undefined);
  const candidates = path.isAbsolute(file) ? [file] : folders.map((folder) => path.join(folder, file));
  for (const candidate of candidates) {
    const found = await real(candidate);
    if (found === undefined || !folders.some((folder) => isInside(folder, found))) continue;
    // a pipe would be waited for, and a device never ends
    ensure((await stat(found)).isFile(), `“${file}” is not a file. Give the path of a file with a time series.`);
    return found;
  }
  // does not reveal whether a file outside exists
  const place = named.map((folder) => `“${folder}”`).join(', ');
  throw new ToolError(
    `There is no file “${file}” in the folders that may be read (${place}). Give a path inside one of them.`,
  );
}

const real = (file: string): Promise<string | undefined> => realpath(file).catch(() => undefined);

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
}
