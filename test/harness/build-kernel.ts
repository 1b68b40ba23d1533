/**
 * Makes src/engine/neural/kernel-module.ts of kernel.wat beside it; `npm run build:kernel` after a change there. A test holds
 * the one against the other.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import loadWabt from 'wabt';

const folder = new URL('../../src/engine/neural/', import.meta.url);

/** The WebAssembly module of the kernel's source, as base64. */
export async function assembleKernel(): Promise<string> {
  const wabt = await loadWabt();
  const parsed = wabt.parseWat('kernel.wat', readFileSync(new URL('kernel.wat', folder), 'utf8'), { simd: true });
  parsed.validate();
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  return Buffer.from(buffer).toString('base64');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const source = `/** Made of kernel.wat by \`npm run build:kernel\`. */\nexport const kernelModule =\n  '${await assembleKernel()}';\n`;
  writeFileSync(new URL('kernel-module.ts', folder), source);
}
