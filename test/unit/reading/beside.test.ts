import assert from 'node:assert/strict';
import { toPoints } from '../../../src/reading/points.ts';
import { readSeries } from '../../../src/reading/read.ts';

const csv = [
  'date,sales,promo,sky,open,price,visitors',
  '2024-01-01,10,1,sun,true,9.5,100',
  '2024-01-02,12,0,rain,true,9.5,110',
  '2024-01-03,11,0,sun,false,9.9,105',
  '2024-01-04,13,1,sun,true,9.9,120',
  '2024-01-05,12,0,rain,true,9.5,118',
  '2024-01-06,14,1,rain,true,9.5,125',
  '2024-01-07,,1,sun,true,9.9,',
  '2024-01-08,,0,rain,false,,',
  '',
].join('\n');

describe('columns beside the value column', () => {
  const document = readSeries(csv, { fileName: 'sales.csv' });
  const sales = document.series.find(({ valueColumn }) => valueColumn === 'sales')!;

  it('are kept with the series, and those filled beyond its end are future covariates', () => {
    const { columns, futureTimes } = sales.beside!;
    assert.equal(sales.points, 6);
    assert.equal(futureTimes.length, 2);
    const ahead = Object.fromEntries(columns.map((each) => [each.name, [each.kind, each.ahead]]));
    assert.deepEqual(ahead, {
      promo: ['number', 2],
      sky: ['text', 2],
      open: ['switch', 2],
      price: ['number', 1],
      visitors: ['number', 0],
    });
  });

  it('are future covariates only if the person says so', () => {
    const chosen = readSeries(csv, {
      fileName: 'sales.csv',
      layout: { valueColumns: ['sales'], covariates: ['promo'] },
    });
    assert.deepEqual(chosen.series[0]?.beside?.columns.map(({ name }) => name), ['promo']); // prettier-ignore
    const roles = chosen.roles.map(({ column, role }) => `${column} ${role}`);
    assert.deepEqual(roles.slice(1, 4), ['sales value', 'promo covariate', 'sky left-out']);
    const none = readSeries(csv, { fileName: 'sales.csv', layout: { valueColumns: ['sales'], covariates: [] } });
    assert.equal(none.series[0]?.beside, undefined);
  });

  it('travel with the points only on request', () => {
    assert.equal(toPoints(sales).length, 6);
    assert.equal(toPoints(sales)[0].metadata, undefined);
    const points = toPoints(sales, ['price', 'sky', 'open']);
    assert.equal(points.length, 8);
    assert.deepEqual(points[1].metadata, { covariates: { sky: 'rain', open: true, price: 9.5 } });
    assert.deepEqual(points[7], {
      timestamp: '2024-01-08T00:00:00Z',
      value: null,
      metadata: { covariates: { sky: 'rain', open: false } },
    });
    assert.equal(toPoints(sales, ['visitors']).length, 6);
  });

  it('are not suggested as the value column', () => {
    const choice = document.choices.find(({ kind }) => kind === 'value-columns')!;
    const first = choice.options[choice.suggested]?.layout.valueColumns?.[0];
    assert.ok(first === 'sales' || first === 'visitors', first);
  });

  it('follow the rows of each series in a long table', () => {
    const long = ['day,shop,sales,promo'];
    for (const shop of ['a', 'b']) {
      const own = shop === 'a' ? 1 : 3;
      for (let i = 1; i <= 9; i++) long.push(`2024-02-0${i},${shop},${i <= 7 ? i * own : ''},${(i + own) % 3 === 0}`);
    }
    const { series } = readSeries(long.join('\n'), { fileName: 'shops.csv' });
    assert.deepEqual(
      series.map(({ id, beside }) => [id, beside?.futureTimes.length, beside?.columns[0]?.values.slice(0, 3).join()]),
      [
        ['a', 2, '0,1,0'],
        ['b', 2, '0,0,1'],
      ],
    );
  });

  it('are absent from a single-column table and from rows that share a time', () => {
    assert.equal(readSeries('date,x\n2024-01-01,1\n2024-01-02,2\n', { fileName: 'x.csv' }).series[0].beside, undefined);
    const twice = 'date,x,y\n2024-01-01,1,5\n2024-01-01,2,6\n2024-01-02,3,4\n2024-01-03,3,5\n2024-01-04,2,7\n';
    for (const { beside } of readSeries(twice, { fileName: 'x.csv' }).series) assert.equal(beside, undefined);
  });
});
