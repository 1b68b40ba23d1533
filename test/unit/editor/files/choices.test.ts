import assert from 'node:assert/strict';
import { Layout } from '../../../../src/editor/files/document.ts';
import { Extension } from '../extension.ts';

describe('Choices for a file', () => {
  const extension = new Extension();
  const newest = async () => (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).items[0];
  const firstTime = async () => (await newest()).input_series?.[0].timestamp;
  const ambiguous = 'day,value\n01/02/2021,1\n02/02/2021,2\n03/02/2021,3\n04/02/2021,5\n';

  it('are asked once for a file and its header, with the rows of each answer', async () => {
    const { person } = extension;
    const uri = extension.file('order.csv', ambiguous);
    person.picks('Day first');
    await extension.run('forecast', uri);
    const [{ items }] = person.inputs;
    assert.deepEqual(
      items.map(({ label }) => label),
      ['Day first', 'Month first'],
    );
    assert.match(items[0].detail!, /^1 Feb 2021: 1 {2}2 Feb 2021: 2/);
    assert.match(items[1].detail!, /^2?.?Jan 2021: 1 {2}2?.?Feb 2021: 2/);
    assert.match((await firstTime())!, /^2021-02-01/);
    await extension.run('forecast', uri);
    assert.equal(person.inputs.length, 1);
    assert.match((await firstTime())!, /^2021-02-01/);
    extension.file('order.csv', ambiguous.replace('value', 'amount'));
    person.picks('Month first');
    await extension.run('forecast', uri);
    assert.match((await firstTime())!, /^2021-01-02/);
  });

  it('are asked again by Forecast with Options, with the earlier answer first', async () => {
    const { person } = extension;
    const uri = extension.file('again.csv', ambiguous);
    person.picks('Day first');
    await extension.run('forecast', uri);
    person.accepts().accepts().accepts().types('5');
    await extension.run('forecastWithOptions', uri);
    const asked = person.inputs.slice(1);
    assert.equal(asked.length, 4);
    assert.deepEqual(asked[0].picked, ['Day first']);
    assert.equal((await newest()).prediction_series?.length, 5);
    assert.match((await firstTime())!, /^2021-02-01/);
  });

  it('apply to the series of a wide file until one of them is gone', async () => {
    const { person } = extension;
    // other values each time: what was forecast before is only shown again
    let times = 100;
    const rows = (names: string) =>
      `month,${names}\n${Array.from({ length: 14 }, (_, i) => `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')},${i + times++},${times + i}`).join('\n')}\n`;
    const forecast = async (names: string) => {
      await extension.run('forecast', extension.file('wide.csv', rows(names)));
      return (await newest()).name;
    };
    person.picks('south');
    assert.equal(await forecast('north,south'), 'wide.csv · south');
    assert.equal(await forecast('north,south'), 'wide.csv · south');
    person.picks('west');
    assert.equal(await forecast('north,west'), 'wide.csv · west');
    assert.equal(await forecast('north,south'), 'wide.csv · south');
    assert.equal(person.inputs.length, 2);
  });

  it('untick the suggested series with the first tick of another', async () => {
    const { person } = extension;
    const rows = Array.from({ length: 14 }, (_, i) => `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')},${i * 7},${90 - i},${i}`); // prettier-ignore
    const file = (name: string) => extension.file(name, `month,north,south,west\n${rows.join('\n')}\n`);
    person.ticks('south').accepts();
    await extension.run('forecast', file('one.csv'));
    assert.deepEqual(person.inputs[0].picked, ['north']);
    assert.equal((await newest()).name, 'one.csv · south');
    person.ticks('south').ticks('north').accepts();
    await extension.run('forecast', file('two.csv'));
    const { items } = await extension.app.connection.inUse.client.listPredictions({ size: 2 });
    assert.deepEqual(items.map(({ name }) => name).sort(), ['two.csv · north', 'two.csv · south']);
  });

  it('are read even if another field is stored beside them', () => {
    const stored = { decimal: ',', totals: 'take', frequency: { unit: 'day', count: 1 } };
    assert.deepEqual(Layout.parse(stored), { decimal: ',', totals: 'take' });
  });
});
