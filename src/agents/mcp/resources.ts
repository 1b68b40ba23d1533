import { forecastDecimals } from '../../calendar/digits.ts';
import { chartView, type ChartView } from '../../chart/chart-view.ts';
import { frameOf } from '../../chart/frame.ts';
import { drawPicture, svgOf } from '../../chart/picture.ts';
import { isPending, type LocalPrediction } from '../../contract/resources.ts';
import { printable } from '../../contract/texts.ts';
import { PLAIN_FORMAT, writeSeries, writtenForecast } from '../../reading/writing/write.ts';
import type { AgentContext } from '../tool.ts';
import { type FontFiles, pngOf } from './png.ts';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** An error of the protocol. The SDK's own writes its code into its message, which clients do once more. */
export const protocolError = (code: number, message: string, data?: object): Error =>
  Object.assign(new Error(message), { code, data });

const NOT_FOUND = -32002;
const PREDICTION = 'forecasts://predictions/';

export const APP_URI = 'ui://forecasts/chart.html';
const APP_TYPE = 'text/html;profile=mcp-app';

const IMAGE = 'History, forecast, and intervals of a prediction as an image';
const ROWS = 'All steps of a prediction with its interval limits';
const FORMS = {
  '': ['prediction', 'Forecast', 'A stored prediction as the service returns it', 'application/json'],
  '/forecast.csv': ['forecast-rows', 'Forecast as CSV', ROWS, 'text/csv'],
  '/chart.svg': ['chart-svg', 'Chart as SVG', IMAGE, 'image/svg+xml'],
  '/chart.png': ['chart-png', 'Chart as PNG', IMAGE, 'image/png'],
} as const;
type Ending = keyof typeof FORMS;

export const templates = Object.entries(FORMS).map(([ending, [name, title, description, mimeType]]) => {
  return { uriTemplate: `${PREDICTION}{id}${ending}`, name, title, description, mimeType };
});

export function pictureLink(id: string) {
  const uri = `${PREDICTION}${encodeURIComponent(id)}/chart.png`;
  return { type: 'resource_link' as const, uri, name: `Chart of ${id}`, description: IMAGE, mimeType: 'image/png' };
}

export async function list(context: AgentContext, cursor: string | undefined, signal: AbortSignal) {
  const { client } = await context.service();
  const { items, next } = await client.listPredictions({ size: 50, cursor, signal }, false);
  const app = { uri: APP_URI, name: 'chart', title: 'Chart of a Forecast', mimeType: APP_TYPE };
  return {
    resources: [
      ...(cursor === undefined ? [app] : []),
      ...items.map(({ id, name, status, ai_model_id, created_at }) => ({
        uri: PREDICTION + encodeURIComponent(id),
        name: printable(name ?? `Prediction ${id}`),
        description: printable([ai_model_id, status, created_at].filter(Boolean).join(', ')),
        mimeType: FORMS[''][3],
      })),
    ],
    nextCursor: next,
  };
}

export async function read(context: AgentContext, uri: string, signal: AbortSignal) {
  if (uri === APP_URI) {
    const _meta = { ui: { csp: {}, prefersBorder: true } };
    return { contents: [{ uri, mimeType: APP_TYPE, text: await pageHere(), _meta }] };
  }
  const ending = (Object.keys(FORMS) as Ending[]).findLast((one) => uri.endsWith(one)) ?? '';
  const id = uri.startsWith(PREDICTION) && decoded(uri.slice(PREDICTION.length, uri.length - ending.length));
  const { client } = await context.service();
  const found = id ? await client.findPredictions(new Set([id]), signal) : undefined;
  const prediction = found?.jobs[0];
  if (!prediction) throw protocolError(NOT_FOUND, `There is no resource ${printable(uri)}.`, { uri });
  const content = await contentOf(prediction, ending);
  if ('missing' in content) throw protocolError(NOT_FOUND, `The prediction of ${uri} ${content.missing}.`, { uri });
  return { contents: [{ uri, mimeType: FORMS[ending][3], ...content }] };
}

async function contentOf(prediction: LocalPrediction, ending: Ending) {
  if (ending === '') return { text: JSON.stringify(prediction) };
  if (isPending(prediction.status)) return { missing: `is not done yet (${prediction.status})` };
  const chart = chartView(prediction, { label: prediction.name, timeZone: 'file' });
  const frame = frameOf(chart);
  const isEmpty = ending === '/forecast.csv' ? !chart.forecast : frame.times.length === 0;
  if (isEmpty) return { missing: 'has nothing to show' };
  if (ending === '/forecast.csv') return { text: rowsOf(chart) };
  const seen = { frame, range: frame.bounds.initial };
  if (ending === '/chart.svg') return { text: svgOf(chart, seen) };
  const png = pngOf(await fontsHere(), (pen) => drawPicture(pen, chart, seen));
  return { blob: png.toString('base64') };
}

function rowsOf({ forecast, history, valueLabel }: ChartView): string {
  const { times, ...written } = forecast!;
  const series = {
    id: valueLabel,
    valueColumn: valueLabel,
    timeColumn: 'timestamp',
    timeKind: 'instant',
    times,
    ...writtenForecast(written, forecastDecimals(history.values, written.intervals)),
    forecast: { names: 'limits' },
  } as const;
  return writeSeries([series], PLAIN_FORMAT);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Files are beside this program in a bundle, else of libraries and sources. */
const beside = (name: string) => new URL(name, import.meta.url);
const isBundle = existsSync(beside('mcp-app.js'));

function font(name: string): Promise<Uint8Array> {
  const file = `inter-${name}-normal.woff`;
  return readFile(isBundle ? beside(file) : new URL(import.meta.resolve(`@fontsource/inter/files/${file}`)));
}

const fontsHere = async (): Promise<FontFiles> => ({
  regular: await Promise.all(['latin-400', 'latin-ext-400', 'greek-400', 'cyrillic-400'].map(font)),
  bold: [await font('latin-600')],
});

async function pageHere(): Promise<string> {
  const bundled = () => Promise.all(['mcp-app.js', 'mcp-app.css'].map((name) => readFile(beside(name), 'utf8')));
  const [script = '', style = ''] = isBundle ? await bundled() : await built();
  const code = script.trim().replaceAll('</script', '<\\/script');
  const styles = style.trim().replaceAll('</style', '<\\/style');
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(code)}; style-src ${hash(styles)}`;
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
