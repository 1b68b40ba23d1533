/** `npm run screenshots`: makes the pictures of the README and the walkthrough anew; names after it make only those. */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Workbench } from '../ui/workbench.ts';
import { pictures } from '../ui/screenshots.ts';
import { buildExtension, packageExtension } from './build.ts';
import { root } from './paths.ts';
import { end } from './processes.ts';
import { Problem, reason, step } from './say.ts';

async function main(): Promise<number> {
  const chosen = process.argv.slice(2);
  const unknown = chosen.filter((name) => !pictures.some((picture) => picture.name === name));
  if (unknown.length) {
    throw new Problem(`No picture ${unknown.join(', ')}; there are ${pictures.map(({ name }) => name).join(', ')}.`);
  }
  await buildExtension();
  await packageExtension();
  for (const { name, folder, options, make } of pictures) {
    if (chosen.length && !chosen.includes(name)) continue;
    const dir = path.join(root, 'media', folder);
    mkdirSync(dir, { recursive: true });
    const workbench = await Workbench.start({
      name: `picture-${name}`,
      viewport: { width: 1200, height: 720 },
      ...options,
    });
    try {
      const element = await make(workbench);
      const file = await workbench.shot(name, { dir, ...(element ? { element } : {}) });
      step(`${path.relative(root, file)} ${(statSync(file).size / 1000).toFixed(0)} KB`);
    } finally {
      await workbench.stop();
    }
  }
  return 0;
}

main().then(end, (error: unknown) => {
  step(reason(error));
  return end(1);
});
