import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FontFiles } from './png.ts';

/** Files are beside this program in a bundle, else of libraries and sources. */
const beside = (name: string) => new URL(name, import.meta.url);
const isBundle = existsSync(beside('mcp-app.js'));

function font(name: string): Promise<Uint8Array> {
  const file = `inter-${name}-normal.woff`;
  return readFile(isBundle ? beside(file) : new URL(import.meta.resolve(`@fontsource/inter/files/${file}`)));
}

export const fontsHere = async (): Promise<FontFiles> => ({
  regular: await Promise.all(['latin-400', 'latin-ext-400', 'greek-400', 'cyrillic-400'].map(font)),
  bold: [await font('latin-600')],
});

/** The page for a chat: one document that loads nothing and runs nothing but what is in it. */
export async function pageHere(): Promise<string> {
  const bundled = () => Promise.all(['mcp-app.js', 'mcp-app.css'].map((name) => readFile(beside(name), 'utf8')));
  const [script = '', style = ''] = isBundle ? await bundled() : await built();
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

async function built(): Promise<string[]> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../webview/mcp-app/main.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    outdir: 'out',
    format: 'iife',
    target: 'es2022',
  });
  return ['.js', '.css'].map((ending) => outputFiles.find(({ path }) => path.endsWith(ending))!.text);
}
