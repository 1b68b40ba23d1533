/** `npm run screenshots`: makes the pictures of the README and the walkthrough anew; names after it make only those. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Workbench } from '../ui/workbench.ts';
import { pictures } from '../ui/screenshots.ts';
import { buildExtension, packageExtension } from './build.ts';
import { root } from './paths.ts';
import { end } from './processes.ts';
import { Problem, reason, step } from './say.ts';

/** The picture as WebP, which is two fifths of its PNG: those of the walkthrough are in the package. */
async function toWebp({ page }: Workbench, file: string): Promise<string> {
  const base64 = await page.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${readFileSync(file, 'base64')}'), (byte) => byte.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.7 });
    return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
  })()`);
  rmSync(file);
  const picture = file.replace('.png', '.webp');
  writeFileSync(picture, base64, 'base64');
  return picture;
}

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
      const shot = await workbench.shot(name, { dir, ...(element ? { element } : {}) });
      const file = folder === 'walkthrough' ? await toWebp(workbench, shot) : shot;
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
