// Bundles the programs of the extension into dist/: the extension, its threads (service, engine, series) and the webview;
// what only a browser runs into dist/web/.
//   node esbuild.mjs [--watch] [--dev]      --dev keeps the code readable and adds source maps
//   node esbuild.mjs --server               the programs of a service for a team instead, into out/server/
//   node esbuild.mjs --threads FOLDER       the threads and the MCP server alone, for tests
import { build, context } from 'esbuild';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const watch = process.argv.includes('--watch');
const dev = watch || process.argv.includes('--dev');
const isServer = process.argv.includes('--server');
const isThreads = process.argv.includes('--threads');
const outdir = isThreads ? process.argv[process.argv.indexOf('--threads') + 1] : isServer ? 'out/server' : 'dist';
const common = {
  bundle: true,
  minify: !dev && !isThreads,
  sourcemap: dev,
  logLevel: 'warning',
  outdir,
  legalComments: 'none',
  metafile: true,
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
const esm = { format: 'esm', chunkNames: '[name]-[hash]', outExtension: { '.js': '.mjs' } };
// libraries in the older form of modules ask for the platform's by `require`
const withRequire = {
  ...esm,
  banner: {
    js: 'import{createRequire as createRequireHere}from"node:module";const require=createRequireHere(import.meta.url);',
  },
};
const engine = 'src/service/tasks/pool-thread.ts';
/** The ports of `#platform/` by their names, as each platform has them. */
const portsOf = (platform) =>
  Object.fromEntries(
    readdirSync('src/platform/node').map((name) => [name.replace('.ts', ''), `src/platform/${platform}/${name}`]),
  );
/** The modules that each program imports at its start, directly or not, which a browser reads side by side. */
const modules = {};
function noteModules({ outputs }) {
  const nameOf = (file) => file.replace(/^(?:\.\/|dist\/)/, './');
  const importsOf = (file, found = new Set()) => {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(nameOf(path)) || !path.endsWith('.mjs')) continue;
      found.add(nameOf(path));
      if (!external) importsOf(path, found);
    }
    return [...found];
  };
  for (const [file, { entryPoint }] of Object.entries(outputs)) if (entryPoint) modules[nameOf(file)] = importsOf(file);
}
/** Leaves the ports to where a program runs. */
const ports = {
  name: 'ports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^#platform\// }, ({ path }) => ({ path: `./${path.slice(1)}.mjs`, external: true }));
  },
};
/** What a module exports, run as it is bundled for Node. */
async function evaluate(entry) {
  const { outputFiles } = await build({ ...node, entryPoints: [entry], format: 'esm', sourcemap: false, write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
/** Puts the text of the service's description in place of the module that makes it. */
const description = {
  name: 'description',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]service[\\/]http[\\/]openapi\.ts$/ }, async ({ path }) => {
      const text = (await evaluate(path)).describeService();
      return { contents: `export const describeService = () => ${JSON.stringify(text)};` };
    });
  },
};
const web = { ...common, platform: 'browser', target: 'es2022' };
const server = [
  { ...node, ...withRequire, splitting: true, entryPoints: { forecasts: 'src/cli/forecasts.ts', engine } },
];
// The same for Node and for a browser, but for the ports. What programs have in common is shared; the readers of workbooks
// and Parquet files and the holidays of the world are files of their own, loaded with the first such file.
const threads = {
  ...web,
  ...esm,
  splitting: true,
  conditions: node.conditions,
  entryPoints: {
    service: 'src/service/host/service-worker.ts',
    engine,
    series: 'src/reading/thread/thread.ts',
    mcp: 'src/cli/mcp.ts',
    ...(isThreads ? {} : { main: 'src/extension.ts' }),
  },
  // holidays keep to the clock of their place, of which the library knows every change since 1970: 700 KB
  alias: { 'moment-timezone': 'moment-timezone/builds/moment-timezone-with-data-10-year-range.js' },
  plugins: [ports, description],
  external: ['vscode', 'esbuild', 'node:*'],
};
const nodePorts = { ...node, ...esm, outdir: `${outdir}/platform`, entryPoints: portsOf('node') };
const extension = [
  threads,
  nodePorts,
  // a program of its own for clusters, in two files that need no others
  { ...node, ...withRequire, outdir: 'dist/stream', entryPoints: { stream: 'src/cli/stream.ts', engine } },
  // the entry, which imports `main` as modules that it reads
  {
    ...web,
    outdir: 'dist/web',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: ['vscode'],
    entryPoints: { extension: 'src/platform/browser/entry.ts' },
    get define() {
      return { MODULES: JSON.stringify(modules) };
    },
  },
  {
    ...web,
    ...esm,
    outdir: 'dist/web/platform',
    external: ['vscode'],
    entryPoints: portsOf('browser'),
  },
  {
    ...common,
    entryPoints: {
      webview: 'src/webview/chart/main.tsx',
      model: 'src/webview/model/main.tsx',
      'mcp-app': 'src/webview/mcp-app/main.ts',
      many: 'src/webview/many/main.tsx',
      reading: 'src/webview/file-reading/main.tsx',
    },
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
  },
];

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;

/** Only what the audit and the bill of materials look at may be bundled: a dependency, or what one needs. */
function checkDependency(folder) {
  const name = folder.replace('node_modules/', '');
  const isNeeded = name in dependencies || (lock[folder] && !lock[folder].dev);
  if (!isNeeded) throw new Error(`${name} is bundled, so it belongs to the dependencies in package.json`);
}

/** The licences of all libraries that are in the bundles, as they ask for; the bill of materials names the same. */
function notices(inputs) {
  // of a library inside of another one the inner is meant
  const folders = inputs.flatMap((input) => /.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []);
  return [...new Set(folders)].sort().map((folder) => {
    checkDependency(folder);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const { name, version, license, repository } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const text = file
      ? readFileSync(`${folder}/${file}`, 'utf8').trim()
      : `Licence: ${license}; source: ${repository?.url ?? repository}`;
    return `${name} ${version}\n\n${text}\n`;
  });
}

const inputs = [];
rmSync(outdir, { recursive: true, force: true });
for (const options of isThreads ? [threads, nodePorts] : isServer ? server : extension) {
  for (const entry of Object.values(options.entryPoints)) {
    if (!existsSync(entry)) throw new Error(`${entry} is missing`);
  }
  const bundle = await context(options);
  if (watch) await bundle.watch();
  else {
    const { metafile } = await bundle.rebuild();
    inputs.push(...Object.keys(metafile.inputs));
    if (options === threads) noteModules(metafile);
    await bundle.dispose();
  }
}
if (!isServer && !isThreads) {
  // what the MCP server draws pictures with; see src/agents/mcp/resources.ts
  const inter = 'node_modules/@fontsource/inter/files/';
  for (const name of readFileSync('src/agents/mcp/resources.ts', 'utf8').match(
    /\b(latin|latin-ext|greek|cyrillic)-\d+/g,
  )) {
    copyFileSync(`${inter}inter-${name}-normal.woff`, `dist/inter-${name}-normal.woff`);
  }
  inputs.push(`${inter}inter-latin-400-normal.woff`);
  copyFileSync('node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm', 'dist/web/sqlite3.wasm');
  // also where this runs in a Node that runs no TypeScript
  const { forecastFileSchema } = await evaluate('src/contract/forecast-file.ts');
  writeFileSync('dist/forecast.schema.json', JSON.stringify(forecastFileSchema()));
}
if (!watch && !isThreads) writeFileSync(`${outdir}/third-party-licenses.txt`, notices(inputs).join('\n----------\n\n'));
