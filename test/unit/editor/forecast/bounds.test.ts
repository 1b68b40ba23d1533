import assert from 'node:assert/strict';
import { Extension } from '../extension.ts';

const day = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
const seats = (i: number): number => (Math.floor(i / 20) % 2 === 0 ? 100 : 60);

/** Seats that are sold each day, and how many there are, ten days further. */
const theatre = (): string =>
  `date,sold,seats\n${Array.from({ length: 110 }, (_, i) => `${day(i)},${i < 100 ? seats(i) - 4 - ((i * i) % 7) : ''},${seats(i)}`).join('\n')}\n`;

describe('Bounds of a forecast', () => {
  const extension = new Extension();
  const newest = async () => {
    const { client } = await extension.app.connection.ready();
    const [{ id }] = (await client.listPredictions({ size: 1 })).items;
    return client.getPrediction(id);
  };

  it('are asked for, remembered, and removed', async () => {
    const { person } = extension;
    const file = extension.file('theatre.csv', theatre());
    person.picks('sold').picks('Theta').accepts().picks('Not negative', 'Whole numbers', 'Capacity…');
    person.types('chairs').types('seats').types('10');
    await extension.run('forecastWithOptions', file);
    const made = await newest();
    assert.deepEqual(made.details!.bounds, { capacity: 'seats', whole: true, not_negative: true });
    made.prediction_series!.forEach(({ value }, i) => {
      assert.ok(Number.isInteger(value) && value! <= seats(100 + i), `${value}`);
    });
    extension.file('theatre.csv', theatre().replace(',92,', ',91,'));
    await extension.run('forecast', file);
    assert.equal((await newest()).details!.bounds!.capacity, 'seats');
    person.accepts().picks('Theta').accepts().picks().types('10');
    await extension.run('forecastWithOptions', file);
    assert.deepEqual(person.inputs.at(-2)!.picked, ['Not negative', 'Whole numbers', 'Capacity…']);
    assert.deepEqual((await newest()).details!.bounds, { not_negative: false });
    person.accepts().picks('Theta').accepts().picks('Floor…').goesBack().picks('Not negative').types('10');
    await extension.run('forecastWithOptions', file);
    assert.equal((await newest()).details!.bounds, undefined);
  });

  it('require a floor below the capacity', async () => {
    const { person } = extension;
    const file = extension.file('plain.csv', theatre().replaceAll(/,\d+$/gm, '').replace(',seats', ''));
    person.picks('Theta').picks('Floor…', 'Capacity…', 'Not negative');
    person.types('1,000').types('20').types('2,000').types('5');
    await extension.run('forecastWithOptions', file);
    assert.deepEqual((await newest()).details!.bounds, { floor: 1000, capacity: 2000, not_negative: true });
  });

  it('are not asked for many series', async () => {
    const { person } = extension;
    const rows = Array.from(
      { length: 30 },
      (_, i) => `${day(i)},${[3, 4, 6, 7, 9].map((k) => (i * k) % 11).join(',')}`,
    );
    const file = extension.file('many.csv', `date,a,b,c,d,e\n${rows.join('\n')}\n`);
    person.picks('a', 'b', 'c', 'd', 'e').picks('Theta').types('5');
    await extension.run('forecastWithOptions', file);
    assert.equal(person.inputs.length, 3);
  });

  it('keep the entered limits after Back', async () => {
    const { person } = extension;
    const file = extension.file('back.csv', theatre().replaceAll(/,\d+$/gm, '').replace(',seats', ''));
    person.picks('Theta').picks('Floor…', 'Capacity…', 'Not negative').types('30').types('2000').goesBack().goesBack();
    person.accepts().accepts().types('5');
    await extension.run('forecastWithOptions', file);
    assert.deepEqual((await newest()).details!.bounds, { floor: 30, capacity: 2000, not_negative: true });
  });

  it('are not asked for many series if one series had a floor', async () => {
    const { person } = extension;
    const rows = Array.from(
      { length: 40 },
      (_, i) => `2024-01-${i},${[1, 2, 3, 4, 5].map((k) => k * (i % 7)).join(',')}`,
    );
    const text = rows.map((row, i) =>
      row.replace(/^[^,]*/, new Date(Date.UTC(2024, 0, i + 1)).toISOString().slice(0, 10)),
    );
    const file = extension.file('some.csv', `date,a,b,c,d,e\n${text.join('\n')}\n`);
    person.picks('a').picks('Theta').picks('Floor…', 'Not negative').types('1').types('5');
    await extension.run('forecastWithOptions', file);
    const { length } = person.inputs;
    person.picks('a', 'b', 'c', 'd', 'e').picks('Theta').types('5');
    await extension.run('forecastWithOptions', file);
    assert.equal(person.inputs.length - length, 3);
  });
});
