import assert from 'node:assert/strict';
import { formatDuration } from '../../../../../src/calendar/frequency.ts';
import {
  reduce,
  type Reading,
  type ReadingEvent,
  startOf,
  stepsFor,
} from '../../../../../src/editor/views/file-reading/view.ts';
import { SeriesReader } from '../../../../../src/reading/read.ts';
import type { LayoutChoice, SeriesDocument } from '../../../../../src/reading/types.ts';

/** Reads a text as the thread does. */
function read(text: string, layout: LayoutChoice = {}): SeriesDocument {
  const reader = new SeriesReader({ fileName: 'file.csv', layout, missing: 'report' });
  reader.push(new TextEncoder().encode(text));
  return reader.finish();
}

const after = (reading: Reading, ...events: readonly ReadingEvent[]): Reading => events.reduce(reduce, reading);
const opened = (text: string, layout: LayoutChoice = {}): Reading =>
  reduce(startOf(layout), { type: 'read', document: read(text, layout), layout });
const rolesOf = ({ roles }: Reading) => roles.map(({ column, role }) => `${column}: ${role}`);

const days = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => `${new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10)},${row(i)}`);
const sales = `day,sales,visitors,note\n${days(60, (i) => `${10 + (i % 7)},${300 + i},n${i % 3}`).join('\n')}\n`;

describe('reading that a person changes', () => {
  it('starts with the roles that were found', () => {
    const reading = opened(sales);
    assert.deepEqual(rolesOf(reading).slice(0, 2), ['day: time', 'sales: value']);
    assert.equal(reading.isReading, false);
    assert.equal(reading.rowStep?.unit, 'day');
  });

  it('replaces the found value column until the person has chosen one', () => {
    const one = `day,sales,note\n${days(30, (i) => `${10 + (i % 7)},n${i % 3}`).join('\n')}\n`;
    const reading = after(opened(one), { type: 'role', column: 'note', role: 'value' });
    assert.deepEqual(rolesOf(reading), ['day: time', 'sales: left-out', 'note: value']);
    assert.deepEqual(reading.layout.valueColumns, ['note']);
    assert.deepEqual(reading.layout.covariates, [], 'and does not come back as a covariate');
    const both = after(reading, { type: 'role', column: 'sales', role: 'value' });
    assert.deepEqual(both.layout.valueColumns, ['sales', 'note'], 'what was chosen stays');
  });

  it('has at most one time column', () => {
    const reading = after(opened(sales), { type: 'role', column: 'visitors', role: 'time' });
    assert.equal(rolesOf(reading)[0], 'day: left-out');
    assert.equal(reading.layout.timeColumn, 'visitors');
    const none = after(reading, { type: 'role', column: 'visitors', role: 'left-out' });
    assert.equal(none.layout.timeColumn, null, 'rows in their order');
  });

  it('names only the columns of changed roles', () => {
    const { layout } = after(opened(sales), { type: 'role', column: 'note', role: 'key' });
    assert.deepEqual(layout, { covariates: [], idColumns: ['note'] });
    const same = opened(sales);
    assert.equal(after(same, { type: 'role', column: 'day', role: 'time' }), same, 'nothing is another');
    assert.equal(after(same, { type: 'role', column: 'gone', role: 'time' }), same);
  });

  it('combines rows to longer steps, by default as the mean', () => {
    const reading = opened(sales);
    assert.deepEqual(stepsFor(reading).map(formatDuration), ['P1W', 'P1M']);
    const weekly = after(reading, { type: 'step', step: 'P1W' });
    assert.deepEqual(weekly.layout.aggregate, { step: { unit: 'week', count: 1 }, by: 'mean' });
    const summed = after(weekly, { type: 'by', by: 'sum' }, { type: 'step', step: 'P1M' });
    assert.deepEqual(summed.layout.aggregate, { step: { unit: 'month', count: 1 }, by: 'sum' }, 'the sum stays');
    const halves = after(summed, { type: 'step', step: 'P15D' });
    assert.deepEqual(
      stepsFor(halves).map(formatDuration),
      ['P1W', 'P15D', 'P1M'],
      'a step of several units is one too',
    );
    assert.equal(after(summed, { type: 'step', step: 'soon' }), summed);
    const rows = after(summed, { type: 'step', step: null });
    assert.equal(rows.layout.aggregate, null);
    assert.equal(after(rows, { type: 'by', by: 'max' }), rows, 'there are no steps to put together');
  });

  it('counts closed time as missing on request', () => {
    assert.equal(after(opened(sales), { type: 'closed', closed: false }).layout.closed, false);
  });

  it('replaces all choices by those of a proposal', () => {
    const reading = after(opened(sales), { type: 'role', column: 'note', role: 'key' });
    const [proposal] = reading.document!.proposals;
    const taken = after(reading, { type: 'proposal', id: proposal.id });
    assert.deepEqual(taken.layout, { ...proposal.layout, reading: proposal.id });
    assert.equal(after(taken, { type: 'proposal', id: 'gone' }), taken);
  });

  it('keeps an answered question, so that the answer can be changed', () => {
    const text = 'day,value\n01/02/2021,1\n02/02/2021,2\n03/02/2021,3\n04/02/2021,5\n';
    const asked = opened(text);
    const { suggested, options } = asked.questions[0].choice;
    assert.deepEqual(asked.questions.map(({ choice, answer }) => [choice.kind, answer]), [['date-order', suggested]]); // prettier-ignore
    const other = options.length - 1 - suggested;
    const answered = after(asked, { type: 'answer', kind: 'date-order', option: other });
    assert.equal(answered.questions[0].answer, other);
    assert.deepEqual(answered.layout, options[other].layout);
    const { layout } = answered;
    const again = reduce(answered, { type: 'read', document: read(text, layout), layout });
    assert.deepEqual(again.questions.map(({ choice, answer }) => [choice.kind, answer]), [['date-order', other]]); // prettier-ignore
  });

  it('keeps the former document if reading fails', () => {
    const reading = after(
      opened(sales),
      { type: 'role', column: 'note', role: 'value' },
      { type: 'failed', problem: 'note has no numbers.' },
    );
    assert.equal(reading.problem, 'note has no numbers.');
    assert.equal(reading.isReading, false);
    assert.ok(reading.document);
    assert.deepEqual(after(reading, { type: 'reset' }).layout, {});
  });
});
