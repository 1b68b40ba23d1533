import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pngMaker } from '../agents/mcp/png.ts';
import type { Makers } from '../agents/mcp/resources.ts';

const FONTS = {
  regular: ['latin-400', 'latin-ext-400', 'greek-400', 'cyrillic-400'],
  bold: ['latin-600'],
};

/** Makes pictures and the page for a chat of files beside this program in a bundle, else of libraries and sources. */
export function makersHere(): Makers {
  const beside = (name: string) => new URL(name, import.meta.url);
  const isBundle = existsSync(beside('mcp-app.js'));
  const library = (name: string) => new URL(import.meta.resolve(name));
  const font = (name: string) => {
    const file = `inter-${name}-normal.woff`;
    return readFile(isBundle ? beside(file) : library(`@fontsource/inter/files/${file}`));
  };
  const png = pngMaker(async () => ({
    regular: await Promise.all(FONTS.regular.map(font)),
    bold: await Promise.all(FONTS.bold.map(font)),
  }));
  let page: Promise<string> | undefined;
  const app = () =>
    (page ??= (isBundle ? bundled(beside) : built()).then(pageOf).catch((error: unknown) => {
      page = undefined;
      throw error;
    }));
  return { png, app };
}

interface Page {
  readonly script: string;
  readonly style: string;
}

const bundled = async (beside: (name: string) => URL): Promise<Page> => ({
  script: await readFile(beside('mcp-app.js'), 'utf8'),
  style: await readFile(beside('mcp-app.css'), 'utf8'),
});

/** From the sources, by the bundler of the project. */
async function built(): Promise<Page> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../webview/mcp-app/main.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    outdir: 'out',
    format: 'iife',
    target: 'es2022',
  });
  const ending = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
  return { script: ending('.js'), style: ending('.css') };
}

/** One document that loads nothing and runs nothing but what is in it. */
function pageOf({ script, style }: Page): string {
  const code = script.trim().replaceAll('</script', '<\\/script');
  const styles = style.trim().replaceAll('</style', '<\\/style');
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(code)}; style-src ${hash(styles)}; img-src data: blob:`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forecast</title>
<style>${styles}</style>
</head>
<body>
<main id="app"></main>
<script>${code}</script>
</body>
</html>
`;
}
