// Bundles the programs of the extension into dist/: the extension, its threads (service, engine, series) and the webview.
//   node esbuild.mjs [--watch] [--dev]      --dev keeps the code readable and adds source maps
import { context } from 'esbuild';
import { existsSync, rmSync } from 'node:fs';

const watch = process.argv.includes('--watch');
const dev = watch || process.argv.includes('--dev');
const common = {
  bundle: true,
  minify: !dev,
  sourcemap: dev,
  logLevel: 'warning',
  outdir: 'dist',
  legalComments: 'none',
};
const node = {
  ...common,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  external: ['vscode'],
  // ofetch's `wintercg` entry uses the platform's own fetch; its `node` entry brings a second HTTP client of 118 KB
  conditions: ['wintercg'],
  mainFields: ['module', 'main'],
};
const builds = [
  { ...node, entryPoints: { extension: 'src/extension.ts' } },
  {
    ...node,
    entryPoints: {
      service: 'src/service/worker.ts',
      engine: 'src/service/compute.ts',
      series: 'src/series/thread.ts',
    },
  },
  { ...common, entryPoints: { webview: 'src/webview/main.ts' }, platform: 'browser', target: 'es2022', format: 'iife' },
];

rmSync('dist', { recursive: true, force: true });
for (const options of builds) {
  for (const entry of Object.values(options.entryPoints)) {
    if (!existsSync(entry)) throw new Error(`${entry} is missing`);
  }
  const bundle = await context(options);
  if (watch) await bundle.watch();
  else {
    await bundle.rebuild();
    await bundle.dispose();
  }
}
