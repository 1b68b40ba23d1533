import assert from 'node:assert/strict';
import { lines, pad, read } from '../helpers.ts';

const day = (i: number) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
const wave = (i: number, shift: number) => 100 + shift + ((i * 37 + shift * 11) % 41);

/** The column that is offered first of a daily file of 60 rows, or the only one that may be forecast. */
function suggested(header: string, row: (i: number) => (number | string)[], fileName = 'file.csv'): string {
  const { choices, series } = read(
    lines(60, (i) => [day(i), ...row(i)].join(), `date,${header}`),
    fileName,
  );
  const choice = choices.find(({ kind }) => kind === 'value-columns');
  return choice?.options[choice.suggested]?.label ?? series[0]?.valueColumn ?? '';
}

describe('suggested value column', () => {
  it('is cnt in the bike-sharing data, after flags, calendar fields and weather', () => {
    const header =
      'season,yr,mnth,holiday,weekday,workingday,weathersit,temp,atemp,hum,windspeed,casual,registered,cnt';
    const row = (i: number) => {
      const [casual, registered] = [wave(i, 3), wave(i, 90)];
      const weather = [1 + (i % 4 === 0 ? 1 : 0), i / 71, (i % 13) / 13, (i % 17) / 17, (i % 19) / 19];
      return [1 + Math.floor(i / 30), 0, 1 + Math.floor(i / 30), i % 9 === 0 ? 1 : 0, i % 7, i % 7 < 5 ? 1 : 0, ...weather, casual, registered, casual + registered]; // prettier-ignore
    };
    assert.equal(suggested(header, row), 'cnt');
  });

  it('is the column with a value name, wherever it is', () => {
    const row = (i: number) => [wave(i, 1), wave(i, 2), wave(i, 3), wave(i, 4) + 0.5, wave(i, 5) * 1000];
    assert.equal(suggested('Open,High,Low,Close,Volume', row), 'Close');
    assert.equal(suggested('temp,rain,wind,sales,snow', row), 'sales');
    assert.equal(suggested('temp,rain,wind,y,snow', row), 'y');
    assert.equal(suggested('temperature,humidity,pressure,store_sales,dew', row), 'store_sales');
    assert.equal(suggested('north,south,users,west,east', row, 'bicimad_users.csv'), 'users');
    assert.equal(suggested('<OPEN>,<HIGH>,<LOW>,<CLOSE>,<TICKVOL>', row), '<CLOSE>');
    assert.equal(suggested('Open,High,Low,Close*,Adj Close**', row), 'Close*');
    for (const derived of ['Sales (lag 7)', 'Sales (forecast)', 'Sales (%)', 'Sales [change]'])
      assert.equal(
        suggested(`${derived},Sales`, (i) => [wave(i, 2), wave(i, 3)]),
        'Sales',
        derived,
      );
    assert.equal(suggested('temp (°C),rain [mm],wind,Sales (€),snow', row), 'Sales (€)');
    assert.equal(
      suggested('Nth day,b', (i) => [pad(i), wave(i, 2)]),
      'b',
    );
  });

  it('is not a flag, id, counter, constant or running total', () => {
    const value = (i: number) => wave(i, 7);
    assert.equal(
      suggested('holiday,load_kw', (i) => [i % 9 === 0 ? 1 : 0, value(i)]),
      'load_kw',
    );
    assert.equal(
      suggested('promoted,amperes', (i) => [i % 2, value(i)]),
      'amperes',
    );
    assert.equal(
      suggested('station_id,amperes', (i) => [4711 + (i % 3), value(i)]),
      'amperes',
    );
    assert.equal(
      suggested('lfd,amperes', (i) => [1000 + i, value(i)]),
      'amperes',
    );
    assert.equal(
      suggested('width,amperes', (i) => [42, value(i)]),
      'amperes',
    );
    let running = 0;
    assert.equal(
      suggested('so_far,amperes', (i) => [(running += value(i)), value(i)]),
      'amperes',
    );
    assert.equal(
      suggested('lag_1,amperes', (i) => [value(i - 1), value(i)]),
      'amperes',
    );
    assert.equal(
      suggested('mostly_empty,amperes', (i) => [i % 5 === 0 ? i * 3.5 : '', value(i)]),
      'amperes',
    );
  });

  it('is not the sum of other columns, wherever it is', () => {
    const parts = (i: number) => [wave(i, 1), wave(i, 2), wave(i, 3)] as const;
    const total = (i: number) => parts(i).reduce((a, b) => a + b);
    assert.equal(
      suggested('total,metro,bus,train', (i) => [total(i), ...parts(i)]),
      'metro',
    );
    assert.equal(
      suggested('everything,metro,bus,train', (i) => [total(i), ...parts(i)]),
      'metro',
    );
    assert.equal(
      suggested('metro,bus,train,total', (i) => [...parts(i), total(i)]),
      'metro',
    );
  });

  it('is the balance of entries that fill one of two columns each', () => {
    const entry = (i: number) => {
      const amount = ((i * i * 7919) % 90_000) / 100 + 1;
      const [debit, credit] = (i * i) % 7 > 2 ? [amount, ''] : ['', -amount];
      return `${day((i * 30) / 100)},E-${i},Account ${i % 9},${debit},${credit},${debit || credit}`;
    };
    const { choices } = read(lines(900, entry, 'Date,Entry,Account,Debit,Credit,Net'));
    assert.equal(choices[0]?.options[choices[0].suggested]?.label, 'Sum of Net per day');
    const side = (i: number) => (i % 2 === 0 ? [wave(i, 5), '', wave(i, 5)] : ['', wave(i, 9), -wave(i, 9)]);
    assert.equal(suggested('Debit,Credit,Net', side), 'Net');
  });

  it('is the first column if nothing else decides', () => {
    assert.equal(
      suggested('north,south,west', (i) => [wave(i, 1), wave(i, 2), wave(i, 3)]),
      'north',
    );
  });
});

describe('constant number that names the only series of a file', () => {
  it('is not offered as a value', () => {
    const file = (head: string, id: string) => lines(20, (i) => `${id},${day(i)},${wave(i, 2)}`, `${head},date,load`);
    for (const head of ['site_no', 'STATION', 'meter_id'])
      assert.deepEqual(read(file(head, '1646500')).series.map(({ id }) => id), ['load'], head); // prettier-ignore
    assert.deepEqual(read(file('seats', '300')).series.map(({ id }) => id), ['load'], 'what never changes'); // prettier-ignore
  });
});
