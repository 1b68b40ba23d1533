import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The files of which something is in the program of an entry point. */
async function carriedBy(entryPoint: string, options: BuildOptions): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    outdir: 'out',
    write: false,
    ...options,
    metafile: true,
  });
  const { inputs } = metafile.outputs[`out/${path.basename(entryPoint).replace(/tsx?$/, 'js')}`]!;
  return Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0);
}

describe('bundle that the editor loads on start', () => {
  it('contains neither the service nor its libraries nor the engine', async () => {
    const carried = await carriedBy('src/extension.ts', {
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
      conditions: ['wintercg'],
      mainFields: ['module', 'main'],
    });
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

describe('bundle of a page', () => {
  for (const entry of globSync('src/webview/*/main.{ts,tsx}', { cwd: root })) {
    it(`contains nothing of the editor but the message guard: ${entry}`, async () => {
      const carried = await carriedBy(entry, { platform: 'browser', format: 'iife' });
      const others = carried.filter((input) => /^src\/(?!webview|chart|calendar|contract)/.test(input));
      assert.deepEqual(others, ['src/editor/views/shared/protocol.ts']);
      assert.equal(
        carried.some((input) => /^src\/contract\//.test(input)),
        entry.includes('mcp-app'),
        'only the page in a chat parses what a service sends',
      );
    });
  }
});
