import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('what is read when the editor starts', () => {
  it('has neither the service, nor its libraries, nor the engine in it', async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: ['src/extension.ts'],
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
      conditions: ['wintercg'],
      mainFields: ['module', 'main'],
      outdir: 'out',
      write: false,
      metafile: true,
    });
    const [{ inputs }] = Object.values(metafile.outputs);
    const carried = Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0);
    const libraries = new Set(carried.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []));
    assert.ok(carried.includes(path.posix.join('src', 'extension.ts')) && libraries.has('zod'));
    assert.deepEqual(
      ['kysely', 'hono', 'pg', 'pg-boss', 'date-holidays'].filter((one) => libraries.has(one)),
      [],
    );
    assert.deepEqual(
      carried.filter(
        (input) =>
          input !== 'src/service/store/token.ts' &&
          /^src\/(engine|server|service\/(database|store|tasks|jobs|resources|http))\//.test(input),
      ),
      [],
    );
  });
});
