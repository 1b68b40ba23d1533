import assert from 'node:assert/strict';
import { build } from 'esbuild';

describe('bundle of the reading thread', () => {
  it('loads readers of workbooks and Parquet, and holidays, only on demand, and no engine', async () => {
    const { metafile } = await build({
      entryPoints: {
        series: 'src/reading/thread/thread.ts',
        service: 'src/service/host/service-worker.ts',
        engine: 'src/service/tasks/pool-thread.ts',
        mcp: 'src/cli/mcp.ts',
      },
      external: ['esbuild'],
      bundle: true,
      splitting: true,
      metafile: true,
      write: false,
      platform: 'node',
      format: 'esm',
      outdir: 'dist',
    });
    const outputs = new Map(Object.entries(metafile.outputs));
    const loaded = new Set<string>();
    const load = (name: string): void => {
      if (loaded.has(name)) return;
      loaded.add(name);
      for (const { path, kind } of outputs.get(name)?.imports ?? []) if (kind === 'import-statement') load(path);
    };
    load('dist/series.js');
    const inputs = [...loaded].flatMap((name) => Object.keys(outputs.get(name)?.inputs ?? {}));
    assert.ok(inputs.some((input) => input.endsWith('reading/text/delimited.ts')));
    const heavy =
      /node_modules\/(?:hyparquet|hyparquet-compressors|read-excel-file|write-excel-file|fflate|date-holidays|astronomia|moment)\//;
    assert.deepEqual(inputs.filter((input) => heavy.test(input)), []); // prettier-ignore
    assert.deepEqual(
      inputs.filter((input) => /^src\/(?:engine|service)\//.test(input)),
      [],
    );
    assert.ok(Object.keys(metafile.inputs).some((input) => heavy.test(input)));
  });
});
