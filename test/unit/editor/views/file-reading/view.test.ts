import assert from 'node:assert/strict';
import { formatDuration } from '../../../../../src/calendar/frequency.ts';
import {
  reduce,
  type Reading,
  type ReadingEvent,
  readingViewer,
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

  /** The control of a label as it is offered, and what its answers lead to. */
  const asked = (reading: Reading, question: string) => {
    const control = readingViewer()(reading).controls.find(({ label }) => label === question);
    const choose = (answer: string, now = reading) => {
      const option = control!.options.find(({ label }) => label.startsWith(answer));
      return reduce(now, option!.change);
    };
    return { answers: control?.options.map(({ label }) => label), chosen: control?.options[control.chosen]?.label, choose }; // prettier-ignore
  };

  it('combines rows to longer steps, by default as the mean', () => {
    const reading = opened(sales);
    assert.deepEqual(asked(reading, 'Step').answers, ['Rows as They Are (daily)', 'weekly', 'monthly']);
    assert.equal(asked(reading, 'Step').chosen, 'Rows as They Are (daily)');
    assert.equal(asked(reading, 'Value per Step').answers, undefined, 'there are no steps to put together');
    const weekly = asked(reading, 'Step').choose('weekly');
    assert.deepEqual(weekly.layout.aggregate, { step: { unit: 'week', count: 1 }, by: 'mean' });
    assert.equal(asked(weekly, 'Step').chosen, 'weekly');
    assert.equal(asked(weekly, 'Value per Step').chosen, 'Average');
    const summed = asked(asked(weekly, 'Value per Step').choose('Sum'), 'Step').choose('monthly');
    assert.deepEqual(summed.layout.aggregate, { step: { unit: 'month', count: 1 }, by: 'sum' }, 'the sum stays');
    const [sums, months] = ['Value per Step', 'Step'].map((question) => asked(weekly, question));
    assert.deepEqual(months.choose('monthly', sums.choose('Sum')), summed, 'also if the page has not changed yet');
    assert.deepEqual(sums.choose('Sum', months.choose('monthly')), summed);
    const half = { step: { unit: 'day', count: 15 }, by: 'sum' } as const;
    const halves = after(summed, { type: 'layout', layout: { aggregate: half } });
    assert.deepEqual(
      stepsFor(halves).map(formatDuration),
      ['P1W', 'P15D', 'P1M'],
      'a step of several units is one too',
    );
    assert.equal(asked(summed, 'Step').choose('Rows').layout.aggregate, null);
  });

  it('counts closed time as missing on request', () => {
    const weekdays = days(120, (i) => `${10 + (i % 7)}`).filter((row) => ![0, 6].includes(new Date(row.split(',')[0]).getUTCDay())); // prettier-ignore
    const reading = opened(`day,sales\n${weekdays.join('\n')}\n`);
    const { chosen, choose } = asked(reading, 'Closed days and hours');
    assert.match(chosen!, /^Leave Out \(open: Mon.Fri\)$/);
    const missing = choose('Treat as Missing');
    assert.equal(missing.layout.closed, false);
    assert.equal(asked(missing, 'Closed days and hours').chosen, 'Treat as Missing');
    assert.equal(asked(opened(sales), 'Closed days and hours').answers, undefined, 'nothing is closed');
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
    const reading = opened(text);
    const [question] = reading.questions;
    const { options, suggested } = question;
    assert.equal(question.kind, 'date-order');
    const { chosen } = asked(reading, question.question);
    assert.ok(chosen?.startsWith(options[suggested].label));
    const other = options[options.length - 1 - suggested];
    const answered = asked(reading, question.question).choose(other.label);
    assert.deepEqual(answered.layout, other.layout);
    const { layout } = answered;
    const again = reduce(answered, { type: 'read', document: read(text, layout), layout });
    assert.ok(asked(again, question.question).chosen?.startsWith(other.label));
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
