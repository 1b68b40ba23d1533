import type { LocalFineTunedModel, TrainingRecord } from '../../../contract/local.ts';
import { escape } from '../shared/html.ts';

/** Which model a page is of, as kept over a reload of the window. */
export interface ModelRef {
  readonly serviceId: string;
  readonly modelId: string;
  /** Its service tells no more of it, so that it may be tried whatever its status was. */
  readonly isUsableAnyway: boolean;
}

/** Reads what a page kept; `undefined` where it names no model. */
export function readModelRef(value: unknown): ModelRef | undefined {
  if (typeof value !== 'object' || value === null || !('serviceId' in value) || !('modelId' in value)) return undefined;
  const { serviceId, modelId } = value;
  if (typeof serviceId !== 'string' || typeof modelId !== 'string') return undefined;
  return { serviceId, modelId, isUsableAnyway: 'isUsableAnyway' in value && value.isUsableAnyway === true };
}

export interface ModelShellOptions {
  readonly label: string;
  /** Random for each page; only the script that carries it may run. */
  readonly nonce: string;
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly ref: ModelRef;
  /** What the page shows at first. */
  readonly body: string;
}

/** The page around the content of {@link modelBody}: one script by nonce, nothing inline, everything escaped. */
export function modelShell({ label, nonce, cspSource, scriptUri, styleUri, ref, body }: ModelShellOptions): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${cspSource}; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<link rel="stylesheet" href="${escape(styleUri)}">
<title>${escape(label)}</title>
</head>
<body>
<main data-state="${escape(JSON.stringify(ref))}">
${body}
</main>
<script nonce="${escape(nonce)}" src="${escape(scriptUri)}"></script>
</body>
</html>
`;
}

/** What a page shows that has no model yet, with why where that is known. */
export const problemBody = (label: string, sentence: string): string =>
  `<h1>${escape(label)}</h1>\n${sentence ? `<p class="problem">${escape(sentence)}</p>` : ''}`;

export interface ModelBodyOptions {
  /** What the person calls the model. */
  readonly label: string;
  /** Link that forecasts with the model; absent while it cannot. */
  readonly forecastUri?: string | undefined;
  /** Names of the datasets that it learned from, by their ids. */
  readonly datasetNames: ReadonlyMap<string, string>;
}

/** What the page of a fine-tuned model shows, everything escaped. */
export function modelBody(model: LocalFineTunedModel, options: ModelBodyOptions): string {
  const { label, forecastUri } = options;
  const parts = [
    `<h1>${escape(label)}</h1>`,
    `<p class="line">${escape(statusLine(model))}</p>`,
    model.error ? `<p class="problem">${escape(model.error)}</p>` : '',
    scoreLine(model),
    forecastUri ? `<p><a class="button" href="${escape(forecastUri)}">Forecast a File with this Model…</a></p>` : '',
    model.training ? training(model.training) : '',
    list('Learned from', dataRows(model, options.datasetNames)),
    list('Training settings', configRows(model)),
    list('Model', [
      ['Base model', model.base_model],
      ['Horizon', model.horizon === undefined ? undefined : steps(model.horizon)],
      ['Created', model.created_at],
      ['Updated', model.updated_at],
      ['Id', model.id],
    ]),
    (model.warnings ?? []).map((warning) => `<p class="note">${escape(warning)}</p>`).join(''),
  ];
  return parts.filter(Boolean).join('\n');
}

const steps = (count: number): string => (count === 1 ? '1 step' : `${count.toLocaleString('en')} steps`);

function statusLine({ status, progress, base_model, training }: LocalFineTunedModel): string {
  const words: Record<string, string> = {
    QUEUED: 'Queued',
    IN_PROGRESS: 'Training',
    COMPLETED: 'Trained',
    FAILED: 'Failed',
  };
  const share = status === 'IN_PROGRESS' && progress !== undefined ? ` ${Math.round(progress * 100)} %` : '';
  const epochs =
    training && status === 'IN_PROGRESS' ? ` · epoch ${training.epoch} of at most ${training.max_epochs}` : '';
  return `${words[status] ?? status}${share}${epochs} · fine-tuned from ${base_model ?? 'a base model'}`;
}

function scoreLine({ scores }: LocalFineTunedModel): string {
  if (!scores?.base_mase || scores.mase === undefined) return '';
  const better = Math.round((1 - scores.mase / scores.base_mase) * 100);
  // Only a context length can make a model worse: its base model was scored with all points.
  const verdict = better > 0 ? `${better} % better than` : better < 0 ? `${-better} % worse than` : 'No better than';
  const on = scores.series === 1 ? 'the training series' : `${scores.series.toLocaleString('en')} training series`;
  return `<p class="score"><strong>${verdict} its base model</strong> on the held-out last horizon of ${on}: MASE ${scores.mase.toFixed(3)}, ${better < 0 ? 'with all points' : 'before'} ${scores.base_mase.toFixed(3)}.</p>`;
}

type Row = readonly [name: string, value: string | undefined];

function dataRows({ input_config: input }: LocalFineTunedModel, names: ReadonlyMap<string, string>): Row[] {
  const joined = (values: readonly string[] | undefined) => (values?.length ? values.join(', ') : undefined);
  return [
    ['Datasets', joined(input?.dataset_ids?.map((id) => names.get(id) ?? id))],
    ['Tags', joined(input?.dataset_tags)],
    ['Series', joined(input?.series_ids)],
    ['Series sent along', input?.series?.length ? `${input.series.length.toLocaleString('en')} points` : undefined],
  ];
}

const configRows = ({ config }: LocalFineTunedModel): Row[] =>
  Object.entries(config ?? {}).map(([name, value]) => [name, value === undefined ? undefined : String(value)]);

function list(title: string, rows: readonly Row[]): string {
  const shown = rows.filter(([, value]) => value !== undefined && value !== '');
  if (shown.length === 0) return '';
  const cells = shown.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value ?? '')}</dd>`).join('');
  return `<h2>${escape(title)}</h2><dl>${cells}</dl>`;
}

const WIDTH = 340;
const HEIGHT = 180;
const MARGIN = { left: 52, right: 12, top: 12, bottom: 28 };

/** How the model learned: its loss and its score on the hold-out by epoch side by side, then the numbers as a table. */
function training({ record, chosen_epochs }: TrainingRecord): string {
  if (record.length === 0) return '';
  const chosen = record.find((entry) => entry.epoch === chosen_epochs)?.epoch;
  const last = Math.max(1, record[record.length - 1].epoch);
  const loss = record.flatMap(({ epoch, loss }) => (loss === undefined ? [] : [{ epoch, value: loss }]));
  const validation = record.map(({ epoch, validation }) => ({ epoch, value: validation }));
  const charts = [
    lineChart('loss', 'Loss in training', loss, { digits: 4, last, chosen }),
    lineChart('validation', 'MASE on the hold-out', validation, { digits: 3, last, chosen }),
  ];
  const why = chosen === 0 ? 'no later one was better by more than chance explains' : 'it was chosen on the hold-out';
  const mark =
    chosen === undefined ? '' : `<p class="note">Epoch 0 is the base model. The dot marks epoch ${chosen}: ${why}.</p>`;
  const rows = record
    .map(
      (entry) =>
        `<tr${entry.epoch === chosen ? ' class="chosen"' : ''}><td>${entry.epoch}</td><td>${entry.loss?.toFixed(4) ?? '–'}</td><td>${entry.validation.toFixed(3)}</td></tr>`,
    )
    .join('');
  return `<h2>Training</h2>
<div class="charts">${charts.join('')}</div>
${mark}<table><thead><tr><th>Epoch</th><th>Loss in training</th><th>MASE on the hold-out</th></tr></thead><tbody>${rows}</tbody></table>`;
}

interface LineOptions {
  readonly digits: number;
  /** The last epoch of the axis, and the one to mark. */
  readonly last: number;
  readonly chosen: number | undefined;
}

/** Values by epoch as a line, between their lowest and highest. Nothing where there are none. */
function lineChart(
  name: string,
  title: string,
  points: readonly { readonly epoch: number; readonly value: number }[],
  { digits, last, chosen }: LineOptions,
): string {
  if (points.length === 0) return '';
  const values = points.map(({ value }) => value);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const span = high - low || Math.abs(high) * 0.1 || 1;
  const bottom = HEIGHT - MARGIN.bottom;
  const right = WIDTH - MARGIN.right;
  const x = (epoch: number) => (MARGIN.left + (epoch / last) * (right - MARGIN.left)).toFixed(1);
  const y = (value: number) => MARGIN.top + ((high - value) / span) * (bottom - MARGIN.top);
  const path = points.map(({ epoch, value }) => `${x(epoch)},${y(value).toFixed(1)}`).join(' ');
  const dot = (kind: string, { epoch, value }: { epoch: number; value: number }) =>
    `<circle class="${kind}" cx="${x(epoch)}" cy="${y(value).toFixed(1)}" r="4"/>`;
  const marked = points.find(({ epoch }) => epoch === chosen);
  // a line of one point would not be seen
  const only = points.length === 1 && !marked ? dot(name, points[0]) : '';
  const tick = (value: number) =>
    `<text class="value" x="${MARGIN.left - 8}" y="${(y(value) + 4).toFixed(1)}">${value.toFixed(digits)}</text>`;
  const [first] = points;
  const end = points[points.length - 1];
  const says = [
    `${title} by epoch: ${first.value.toFixed(digits)} at epoch ${first.epoch}`,
    ...(end === first ? [] : [`${end.value.toFixed(digits)} at epoch ${end.epoch}`]),
    ...(marked && marked !== end && marked !== first
      ? [`${marked.value.toFixed(digits)} at the chosen epoch ${marked.epoch}`]
      : []),
  ];
  return `<figure><figcaption>${escape(title)}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(says.join(', '))}">
<line class="axis" x1="${MARGIN.left}" y1="${bottom}" x2="${right}" y2="${bottom}"/>
${tick(high)}${low < high ? tick(low) : ''}
<text class="epoch" x="${MARGIN.left}" y="${HEIGHT - 8}">epoch 0</text>
<text class="epoch end" x="${right}" y="${HEIGHT - 8}">epoch ${last}</text>
<polyline class="${name}" points="${path}"/>${marked ? dot('chosen', marked) : only}
</svg></figure>`;
}
