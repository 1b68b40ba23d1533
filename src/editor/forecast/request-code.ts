import { operations } from '../../contract/operations.ts';
import type { CreatePrediction } from '../../contract/requests.ts';
import type { OutgoingPoint } from '../../reading/points.ts';

interface CopiedRequest {
  /** The base URL; absent for the local service, which has one only while it is served. */
  readonly url: string | undefined;
  readonly body: Pick<CreatePrediction, 'ai_model_id' | 'prediction_length' | 'quantile_levels' | 'bounds' | 'name'> & {
    readonly series: readonly OutgoingPoint[];
  };
}

export type Language = 'curl' | 'python' | 'typescript';

/** Of a text in a heredoc, a line that would end it. */
const END = 'END_OF_REQUEST';

/**
 * A request as code that sends it. The token is never in it: it is read from the environment variable `FORECASTS_TOKEN`, and
 * where there is no base URL that one from `FORECASTS_URL`.
 */
export function requestCode(language: Language, { url, body }: CopiedRequest): string {
  const { path } = operations.createPrediction;
  const address = url === undefined ? undefined : url.replace(/\/$/, '') + path;
  const { series, ...fields } = body;
  const points = series.map((point) => `    ${JSON.stringify(point)}`).join(',\n');
  const head = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`],
  );
  const json = `{\n${head.join('')}  "series": [\n${points}\n  ]\n}`;
  switch (language) {
    case 'curl':
      return [
        `curl -sS ${address === undefined ? `"$FORECASTS_URL${path}"` : quoted(address)} \\`,
        '  -H "Authorization: Bearer $FORECASTS_TOKEN" \\',
        `  -H 'Content-Type: application/json' --data-binary @- <<'${END}'`,
        json,
        END,
        '',
      ].join('\n');
    case 'python':
      return [
        'import os',
        '',
        'import requests',
        '',
        `body = ${pythonOf(json)}`,
        'answer = requests.post(',
        `    ${address === undefined ? `os.environ["FORECASTS_URL"] + "${path}"` : JSON.stringify(address)},`,
        '    headers={"Authorization": "Bearer " + os.environ["FORECASTS_TOKEN"]},',
        '    json=body,',
        ')',
        'answer.raise_for_status()',
        'for point in answer.json()["prediction_series"] or []:',
        '    print(point["timestamp"], point["value"])',
        '',
      ].join('\n');
    case 'typescript':
      return [
        `const body = ${json};`,
        `const answer = await fetch(${address === undefined ? `\`\${process.env.FORECASTS_URL}${path}\`` : JSON.stringify(address)}, {`,
        "  method: 'POST',",
        '  headers: {',
        '    Authorization: `Bearer ${process.env.FORECASTS_TOKEN}`,',
        "    'Content-Type': 'application/json',",
        '  },',
        '  body: JSON.stringify(body),',
        '});',
        'if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);',
        'const { prediction_series } = (await answer.json()) as {',
        '  prediction_series?: { timestamp: string; value: number }[];',
        '};',
        'console.table(prediction_series);',
        '',
      ].join('\n');
  }
}

/** A text as one word of a POSIX shell, in which nothing is expanded. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** JSON as Python says it: its three words differ, and only outside of texts. */
const pythonOf = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:null|true|false)\b/g, (token) =>
    token.startsWith('"') ? token : { null: 'None', true: 'True', false: 'False' }[token]!,
  );
