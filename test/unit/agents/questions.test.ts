import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Answer } from '../../../src/agents/tool.ts';
import { type LocalPrediction, PointQuantiles } from '../../../src/contract/resources.ts';
import { LocalService } from '../service/local-service.ts';
import { contextOver, run } from './context.ts';

interface Question {
  readonly question: string;
  readonly calls: readonly { readonly tool: string; readonly input: Record<string, unknown> }[];
  /** Finds the answer in the text of the last call. */
  readonly answer: string;
  /** What it is, of the stored prediction; or the words themselves. */
  readonly is: string;
}

const questions = JSON.parse(readFileSync(new URL('./questions.json', import.meta.url), 'utf8')) as Question[];

/** Quantiles of a step of a stored prediction, which counts from 1. */
function quantilesAt({ prediction_series: points }: LocalPrediction, step: number): Record<string, number> {
  return PointQuantiles.parse(points![step - 1].metadata).quantiles;
}

/** As far as the digits that are shown go: pieces that are sold are told in whole numbers. */
const near = (text: string, value: number, width: number) => {
  const lastDigit = 10 ** -(text.split('.')[1]?.length ?? 0);
  assert.ok(Math.abs(Number(text) - value) <= Math.max(width * 0.03, lastDigit / 2), `${text} is not ${value}`);
};

describe('questions in words', () => {
  const local = new LocalService();

  for (const { question, calls, answer, is } of questions) {
    it(`${question} (${is})`, async () => {
      const context = contextOver(local);
      let last: Answer | undefined;
      for (const { tool, input } of calls) {
        const known = last?.data.prediction_id;
        const filled = Object.entries(input).map(([name, value]) => [name, value === '$prediction_id' ? known : value]);
        last = await run(context, tool, Object.fromEntries(filled));
        assert.equal(last.isError, undefined, last.text);
      }
      const found = new RegExp(answer, 'm').exec(last!.text)?.[1];
      assert.ok(found, last!.text);

      // what is right is taken from the service itself
      const id = last!.data.prediction_id;
      const stored =
        typeof id === 'string' ? (await local.call<LocalPrediction>('GET', `/predictions/${id}`)).body : undefined;
      const [what, step] = [is.replace(/ \d+$/, ''), Number(/\d+$/.exec(is)?.[0])];
      const at = stored && step ? quantilesAt(stored, step) : {};
      const width = at['0.975'] - at['0.025'];
      const tested = stored?.details?.backtest;
      switch (what) {
        case 'median':
          near(found, at['0.5'], width);
          break;
        case '80% limits': {
          const [low, high] = found.split(', ');
          near(low, at['0.1'], width);
          near(high, at['0.9'], width);
          break;
        }
        case 'sum': {
          const total = stored!.prediction_series!.reduce(
            (sum, _, index) => sum + quantilesAt(stored!, index + 1)['0.5'],
            0,
          );
          near(found, total, total / 100);
          break;
        }
        case 'month of the maximum': {
          const medians = stored!.prediction_series!.map((_, index) => quantilesAt(stored!, index + 1)['0.5']);
          const { timestamp } = stored!.prediction_series![medians.indexOf(Math.max(...medians))];
          const month = new Date(timestamp).toLocaleDateString('en', {
            month: 'short',
            year: 'numeric',
            timeZone: 'UTC',
          });
          assert.equal(found, month);
          break;
        }
        case 'skill':
          assert.equal(Number(found), Math.round(tested!.skill! * 100));
          break;
        case 'coverage':
          assert.equal(Number(found), Math.round(tested!.coverage80! * 100));
          break;
        case 'best of theta and seasonal-naive': {
          const scores = last!.data.models as { ai_model_id: string; mase: number }[];
          assert.equal(found, scores.toSorted((a, b) => a.mase - b.mase)[0].ai_model_id);
          break;
        }
        default:
          assert.equal(found, is);
      }
    });
  }
});
