/**
 * `npm run package:server`: one npm package with the command `forecasts`, which needs nothing but Node: all libraries are
 * bundled, so that it is installed without a registry and runs what was tested.
 */
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outDir, root } from './paths.ts';
import { end, runOk } from './processes.ts';
import { PROGRAM_FLAGS } from './program.ts';
import { reason, say } from './say.ts';

/** Builds what is packed. @returns its folder, with `forecasts.mjs`; and the name of the package with its version */
export async function buildServer(): Promise<{ readonly folder: string; readonly name: string }> {
  await runOk(process.execPath, ['esbuild.mjs', '--server'], { cwd: root });
  const folder = path.join(outDir, 'server');
  const { version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const manifest = {
    name: 'time-series-forecasts-server',
    version,
    description: 'Time series forecasts: a service for teams, its workers, and a command-line filter.',
    license,
    type: 'module',
    bin: { forecasts: 'forecasts.mjs' },
    engines: { node: '>=22.12' },
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  const program = path.join(folder, 'forecasts.mjs');
  writeFileSync(program, `#!/usr/bin/env -S node ${PROGRAM_FLAGS.join(' ')}\n${readFileSync(program, 'utf8')}`, {
    mode: 0o755,
  });
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  copyFileSync(path.join(root, 'deploy', 'README.md'), path.join(folder, 'README.md'));
  return { folder, name: `${manifest.name}-${version}` };
}

/** Builds it. @param to folder of the tarball. @returns the tarball */
export async function packageServer(to: string): Promise<string> {
  const { folder, name } = await buildServer();
  const isShell = process.platform === 'win32';
  await runOk('npm', ['pack', '--pack-destination', to, '--loglevel', 'error'], { cwd: folder, shell: isShell });
  return path.join(to, `${name}.tgz`);
}

async function main(): Promise<number> {
  const tarball = await packageServer(root);
  say(`${path.basename(tarball)} ${(statSync(tarball).size / 1000).toFixed(0)} KB`);
  return 0;
}

if (process.argv[1] === import.meta.filename) {
  main().then(end, (error: unknown) => {
    say(reason(error));
    return end(1);
  });
}
