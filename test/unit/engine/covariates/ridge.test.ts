import assert from 'node:assert/strict';
import { ridgeOf } from '../../../../src/engine/covariates/ridge.ts';

const history = 16;
const length = history + 4;
/** Three columns that have nothing in common, in either half too. */
const column = (width: number, factor = 1): Float64Array =>
  Float64Array.from({ length }, (_, i) => (Math.floor(i / width) % 2 === 0 ? factor : -factor));
const [first, second, third] = [column(1), column(2), column(4)];
const known = new Array<boolean>(history).fill(true);
const halves = Uint8Array.from({ length: history }, (_, i) => (i < history / 2 ? 0 : 1));
const seen = (row: Float64Array): Float64Array => row.slice(0, history);
/** The least penalty, which is taken where nothing is left to chance; it counts for each row. */
const least = 3e-4;

function near(row: Float64Array, of: (i: number) => number, most = 1e-9): void {
  row.forEach((value, i) => {
    assert.ok(Math.abs(value - of(i)) < most, `${i}: ${value} is not ${of(i)}`);
  });
}

describe('ridge regression of effects', () => {
  it('gives each column its effect, hardly drawn to 0, where the halves agree', () => {
    const target = seen(first.map((value, i) => 2 * value - 3 * second[i]));
    const { effect, fitted } = ridgeOf([first, second, third], 0, known, halves)(target);
    assert.equal(effect.length, length, 'the future too');
    near(effect, (i) => (2 * first[i] - 3 * second[i]) / (1 + least));
    near(fitted, (i) => target[i] / (1 + least));
  });

  it('is the solution of the normal equations for columns that go together', () => {
    const both = first.map((value, i) => value + second[i]);
    const target = seen(first.map((value, i) => 4 * value + third[i]));
    const { fitted } = ridgeOf([first, both], 0, known, halves)(target);
    // of spread 1 they have the products 1, √½ and 1, and with the target 4 and 4 · √½, for each row
    const [diagonal, across] = [1 + least, Math.SQRT1_2];
    const determinant = diagonal ** 2 - across ** 2;
    const own = (4 * diagonal - 4 * across * across) / determinant;
    const shared = (4 * across * diagonal - 4 * across) / determinant;
    near(fitted, (i) => own * first[i] + shared * Math.SQRT1_2 * both[i]);
  });

  it('draws what the halves contradict each other about to 0, and foretells none of it', () => {
    const target = seen(first.map((value, i) => (halves[i] === 0 ? 2 : -2) * value));
    const { effect } = ridgeOf([first], 0, known, halves)(target);
    // each half by the other, with the highest penalty of 3 for each row
    near(effect.subarray(0, history), (i) => -target[i] / 4);
    near(effect.subarray(history), () => 0);
  });

  it('does not ask in which unit a column is', () => {
    const target = seen(first.map((value, i) => value + 0.5 * third[i]));
    const [plain, large] = [1, 1e6].map((unit) =>
      ridgeOf([first.map((value) => unit * value), third], 0, known, halves)(target),
    );
    near(large.effect, (i) => plain.effect[i]);
  });

  it('fits the calendar, but does not take it for an effect', () => {
    const target = seen(first.map((value, i) => 2 * value + 10 * second[i]));
    const { effect, fitted } = ridgeOf([second, first], 1, known, halves)(target);
    near(effect, (i) => (2 * first[i]) / (1 + least));
    // what is given is penalised by a hundredth
    near(fitted, (i) => (2 * first[i]) / (1 + least) + (10 * second[i]) / (1 + least / 100));
  });

  it('learns nothing from rows without a target', () => {
    const some = known.map((_, i) => i % 8 < 4);
    const target = seen(first.map((value, i) => (some[i] ? 2 * value : Number.NaN)));
    near(ridgeOf([first], 0, some, halves)(target).effect, (i) => (2 * first[i]) / (1 + least));
  });

  it('tells what other columns would do, from a row on', () => {
    const { of } = ridgeOf([first, second], 0, known, halves)(seen(first.map((value) => 2 * value)));
    const raised = of([first.map(() => 3), second], history - 2);
    near(raised, (i) => (i < history - 2 ? 0 : 6 / (1 + least)));
  });

  it('leaves a column alone that does not move, and rows of which none is known', () => {
    const target = seen(first);
    const { effect } = ridgeOf([new Float64Array(length), first], 0, known, halves)(target);
    near(effect, (i) => first[i] / (1 + least));
    const none = ridgeOf(
      [first],
      0,
      known.map(() => false),
      halves,
    )(new Float64Array(history).fill(Number.NaN));
    near(none.effect, () => 0);
  });
});
