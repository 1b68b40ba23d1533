import type { LocalFineTunedModel, TrainingRecord } from '../contract/local.ts';
import { escape } from './html.ts';

export interface ModelPageOptions {
  /** What the person calls the model. */
  readonly label: string;
  readonly cspSource: string;
  readonly styleUri: string;
  /** Link that forecasts with the model; absent while it cannot. */
  readonly forecastUri?: string | undefined;
  /** Names of the datasets that it learned from, by their ids. */
  readonly datasetNames: ReadonlyMap<string, string>;
}

/** The page of a fine-tuned model: no script, nothing inline, everything escaped. */
export function modelPage(model: LocalFineTunedModel, options: ModelPageOptions): string {
  const { label, cspSource, styleUri, forecastUri } = options;
  const policy = `default-src 'none'; style-src ${cspSource}; base-uri 'none'; form-action 'none'`;
  const parts = [
    `<h1>${escape(label)}</h1>`,
    `<p class="line">${escape(statusLine(model))}</p>`,
    model.error ? `<p class="problem">${escape(model.error)}</p>` : '',
    scoreLine(model),
    forecastUri ? `<p><a class="button" href="${escape(forecastUri)}">Forecast a File with this Model…</a></p>` : '',
    model.training ? trainingChart(model.training) : '',
    list('Learned from', dataRows(model, options.datasetNames)),
    list('Training settings', configRows(model)),
    list('Model', [
      ['Base model', model.base_model],
      ['Created', model.created_at],
      ['Updated', model.updated_at],
      ['Id', model.id],
    ]),
    (model.warnings ?? []).map((warning) => `<p class="note">${escape(warning)}</p>`).join(''),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<link rel="stylesheet" href="${escape(styleUri)}">
<title>${escape(label)}</title>
</head>
<body>
<main>
${parts.filter(Boolean).join('\n')}
</main>
</body>
</html>
`;
}

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
  const verdict = better > 0 ? `${better} % better than` : 'No better than';
  const on = scores.series === 1 ? 'the training series' : `${scores.series.toLocaleString('en')} training series`;
  return `<p class="score"><strong>${verdict} its base model</strong> on the held-out last horizon of ${on}: MASE ${scores.mase.toFixed(3)}, before ${scores.base_mase.toFixed(3)}.</p>`;
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

const WIDTH = 640;
const HEIGHT = 200;
const MARGIN = { left: 52, right: 16, top: 12, bottom: 28 };

/** MASE on the hold-out by epoch, with a mark at the chosen one; the numbers follow as a table. */
function trainingChart({ record, chosen_epochs }: TrainingRecord): string {
  if (record.length === 0) return '';
  const values = record.map((entry) => entry.validation);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const span = high - low || Math.abs(high) * 0.1 || 1;
  const last = Math.max(1, record[record.length - 1].epoch);
  const x = (epoch: number) => MARGIN.left + (epoch / last) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number) => MARGIN.top + ((high - value) / span) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const path = record.map((entry) => `${x(entry.epoch).toFixed(1)},${y(entry.validation).toFixed(1)}`).join(' ');
  const chosen = record.find((entry) => entry.epoch === chosen_epochs);
  const mark = chosen
    ? `<circle class="chosen" cx="${x(chosen.epoch).toFixed(1)}" cy="${y(chosen.validation).toFixed(1)}" r="4"/>`
    : '';
  const label = (value: number) =>
    `<text class="value" x="${MARGIN.left - 8}" y="${(y(value) + 4).toFixed(1)}">${value.toFixed(3)}</text>`;
  const rows = record
    .map(
      (entry) =>
        `<tr${entry === chosen ? ' class="chosen"' : ''}><td>${entry.epoch}</td><td>${entry.loss?.toFixed(4) ?? '–'}</td><td>${entry.validation.toFixed(3)}</td></tr>`,
    )
    .join('');
  return `<h2>Training</h2>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="MASE on the hold-out by epoch, from ${values[0].toFixed(3)} to ${values[values.length - 1].toFixed(3)}">
<line class="axis" x1="${MARGIN.left}" y1="${HEIGHT - MARGIN.bottom}" x2="${WIDTH - MARGIN.right}" y2="${HEIGHT - MARGIN.bottom}"/>
${label(high)}${low < high ? label(low) : ''}
<text class="epoch" x="${MARGIN.left}" y="${HEIGHT - 8}">epoch 0, the base model</text>
<text class="epoch end" x="${WIDTH - MARGIN.right}" y="${HEIGHT - 8}">epoch ${last}</text>
<polyline class="validation" points="${path}"/>${mark}
</svg>
<table><thead><tr><th>Epoch</th><th>Loss in training</th><th>MASE on the hold-out</th></tr></thead><tbody>${rows}</tbody></table>`;
}
