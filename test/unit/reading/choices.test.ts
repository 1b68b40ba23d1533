import assert from 'node:assert/strict';
import { brief, lines, pad, read } from './helpers.ts';

const kinds = (text: string) => read(text).choices.map(({ kind }) => kind);
const day = (i: number) => new Date(Date.UTC(2021, 0, 1 + i)).toISOString().slice(0, 10);

describe('readSeries: questions', () => {
  it('asks for the order of day and month only if no cell decides it', () => {
    const open = lines(9, (i) => `${pad(i + 1)}/${pad(i + 2)}/2021,${i}`, 'date,v');
    assert.deepEqual(kinds(open), ['date-order']);
    const [choice] = read(open).choices;
    const dayFirst = read(open, 'a.csv', choice?.options[0]?.layout).series[0];
    assert.equal(brief(dayFirst!).split(' ')[2], '2021-02-01..2021-10-09');
    assert.deepEqual(read(open, 'a.csv', choice?.options[0]?.layout).choices, []);
  });

  it('takes the order of day and month from a cell far down the column', () => {
    const text = lines(
      800,
      (i) => `${1 + (i < 700 ? i % 12 : 0)}/${i < 700 ? 1 : 13 + (i % 5)}/${2000 + Math.floor(i / 12)},${i}`,
      'd,v',
    );
    assert.deepEqual(kinds(text), []);
    const times = read(text, 'a.csv', { frequency: null }).series[0]?.times;
    assert.equal(new Date(times?.[1] ?? NaN).toISOString().slice(0, 10), '2000-02-01');
  });

  it('infers months from the grid if both orders are valid dates', () => {
    const text = lines(36, (i) => `01/${pad((i % 12) + 1)}/${2018 + Math.floor(i / 12)},${i}`, 'date,v');
    assert.deepEqual(kinds(text), []);
    assert.equal(brief(read(text).series[0]!), 'v P1M 2018-01-01..2020-12-01 36 0');
  });

  it('reads dates with dots as day first', () => {
    assert.equal(
      brief(read(lines(9, (i) => `${pad(i + 1)}.02.2021;${i}`, 'd;v')).series[0]!),
      'v P1D 2021-02-01..2021-02-09 9 0',
    );
  });

  it('decides thousands and decimal separators over the whole column', () => {
    const values = (text: string) => [...read(text).series[0]!.values].slice(0, 2);
    const tab = (cell: (i: number) => string) => lines(20, (i) => `${day(i)}\t${cell(i)}`, 'd\tv');
    assert.deepEqual(values(tab((i) => `1,${200 + i}`)), [1200, 1201]);
    assert.deepEqual(kinds(tab((i) => `1,${200 + i}`)), ['decimal']);
    assert.deepEqual(values(tab((i) => (i === 19 ? '0,125' : `1,${200 + i}`))), [1.2, 1.201]);
    assert.deepEqual(kinds(tab((i) => (i === 19 ? '0,125' : `1,${200 + i}`))), []);
    assert.deepEqual(values(tab((i) => (i === 19 ? '950' : `1,${200 + i}`))), [1200, 1201]);
    assert.deepEqual(values(tab((i) => (i === 19 ? '1500' : `1,${200 + i}`))), [1.2, 1.201]);
    assert.deepEqual(values(tab((i) => `1.${200 + i},5`)), [1200.5, 1201.5]);
    assert.deepEqual(values(tab((i) => `1 ${200 + i}`)), [1200, 1201]);
    assert.deepEqual(values(lines(20, (i) => `${day(i)},1.${200 + i}`, 'd,v')), [1.2, 1.201]);
    assert.deepEqual(kinds(lines(20, (i) => `${day(i)},1.${200 + i}`, 'd,v')), []);
  });

  it('asks about a sentinel of nines that is far from all other values, and keeps it until answered', () => {
    const text = lines(30, (i) => `${day(i)},${i % 9 === 4 ? '-99.99' : 315 + i}`, 'date,co2');
    const document = read(text);
    assert.deepEqual(document.choices.map(({ kind }) => kind), ['missing-code']); // prettier-ignore
    assert.equal(document.series[0]?.values[4], -99.99);
    assert.equal(document.problems[0]?.line, 6);
    const [asked] = document.choices;
    assert.equal(read(text, 'a.csv', asked?.options[0]?.layout).series[0]?.missing, 3);
    assert.deepEqual(read(text, 'a.csv', asked?.options[1]?.layout).choices, []);
    assert.deepEqual(kinds(lines(30, (i) => `${day(i)},${990 + i}`, 'd,v')), []);
  });

  it('asks which of two date columns is the time unless both agree', () => {
    assert.deepEqual(
      kinds(lines(20, (i) => `${day(i)},${day(i + 2 + ((i * 7) % 5))},${i}`, 'order_date,ship_date,v')),
      ['time-column'],
    );
    assert.deepEqual(kinds(lines(20, (i) => `${day(i)},${day(i + 1)},${i}`, 'from,to,v')), []);
    const night = (i: number) => `${day(i)} 22:${10 + ((i * i * 7) % 43)}`;
    assert.deepEqual(kinds(lines(20, (i) => `${night(20 - i)},${night(21 - i)},${i}`, 'start time,end time,v')), []);
    assert.deepEqual(
      kinds(lines(20, (i) => `${day(i)}T00:00:00Z,${day(i)}T01:00:00+01:00,${i}`, 'utc_timestamp,cet_timestamp,v')),
      [],
    );
  });

  it('asks which column to forecast and suggests one with a value name', () => {
    const [choice] = read(lines(20, (i) => `${day(i)},${i},${i * 2}`, 'ds,temp,y')).choices;
    assert.equal(choice?.kind, 'value-columns');
    assert.equal(choice?.options[choice.suggested]?.label, 'y');
    assert.deepEqual(choice?.options.map(({ label }) => label), ['temp', 'y', 'All columns']); // prettier-ignore
  });

  describe('about events', () => {
    const suggested = (head: string, row: (i: number) => string) => {
      const [choice] = read(lines(300, (i) => `${day((i * 7) >> 4)},${row(i)}`, `day,${head}`)).choices;
      return choice?.kind === 'aggregate' ? choice.options[choice.suggested]?.label : undefined;
    };
    const amount = (i: number) => (((i * 2521) % 4001) / 100 + 3).toFixed(2);

    it('suggest no numbers of documents, in whatever order, with gaps, and on several lines', () => {
      assert.equal(
        suggested('Boekstuk,Bedrag', (i) => `${24_700_001 + i},${amount(i)}`),
        'Sum of Bedrag per day',
      );
      assert.equal(
        suggested('Boekstuk,Bedrag', (i) => `${7 + i + (i >> 3)},${amount(i)}`),
        'Sum of Bedrag per day',
      );
      assert.equal(
        suggested('Boekstuk,Bedrag', (i) => `${400 + (i >> 1)},${amount(i)}`),
        'Sum of Bedrag per day',
      );
      assert.equal(
        suggested('Beleg,Text', (i) => `${900 + ((i * 7) % 307)},x${i}`),
        'Number of rows per day',
      );
    });

    it('suggest no postcodes, whatever they are of', () => {
      assert.equal(
        suggested('Postcode (Billing),guest', (i) => `${10_000 + ((i * 30_011) % 89_989)},x${i % 90}`),
        'Number of rows per day',
      );
    });

    it('suggest amounts of as many digits that no two rows have, also few and close together', () => {
      const few = (i: number) => `${day((i * 7) >> 4)},${12 + ((i * 17) % 61)}`;
      assert.equal(
        suggested('home,price', (i) => `h${i},${150_000 + ((i * 300_007) % 740_011)}`),
        'Sum of price per day',
      );
      const [choice] = read(lines(40, few, 'day,widgets')).choices;
      assert.match(choice?.options[choice.suggested]?.label ?? '', /^Sum of widgets/);
    });

    it('suggest no sum of what is the same in all rows, but their number', () => {
      assert.equal(
        suggested('seats,guest', (i) => `2,guest ${i % 90}`),
        'Number of rows per day',
      );
    });

    it('offer other columns by what speaks for them, and none of numbers that name something', () => {
      const row = (i: number) => `${(i * 5) % 11},${70_000 + ((i * 7919) % 6007)},${amount(i)},${amount(i + 9)}`;
      const { choices } = read(lines(300, (i) => `${day((i * 7) >> 4)},${row(i)}`, 'day,points,Beleg,fee,order total'));
      const labels = choices[0]?.options.map(({ label }) => label.replace(' per day', ''));
      const expected = ['order total', 'points', 'fee'].map((name) => `Sum of ${name}`);
      assert.deepEqual(labels?.filter((label) => label.startsWith('Sum')), expected); // prettier-ignore
    });

    it('ask for the order of day and month too, but not which of two times of an event is meant', () => {
      const open = lines(44, (i) => `${pad((i >> 2) + 1)}/${pad((i >> 2) + 2)}/2021,${amount(i)}`, 'day,amount');
      assert.deepEqual(kinds(open), ['date-order', 'aggregate']);
      const times = (i: number) => `${day((i * 7) >> 4)},${day(((i * 7) >> 4) + 1 + (i % 6))}`;
      const { choices, problems } = read(lines(300, (i) => `${times(i)},${amount(i)}`, 'begin,end,amount'));
      assert.deepEqual(choices.map(({ kind }) => kind), ['aggregate']); // prettier-ignore
      assert.deepEqual(problems.map(({ message }) => message), ['Events are dated by “begin”; “end” is another time.']); // prettier-ignore
    });

    it('ask for the decimal sign of their amounts too', () => {
      const rows = lines(300, (i) => `${day((i * 7) >> 4)}\t1,${200 + ((i * i * 3) % 700)}`, 'day\tamount');
      assert.deepEqual(kinds(rows), ['decimal', 'aggregate']);
    });

    it('average what hardly varies, such as a weight', () => {
      const row = (i: number) => `${day(i * 2 + ((i * 7) % 2))},${(80 + ((i * 37) % 41) / 10).toFixed(1)}`;
      const [choice] = read(lines(90, row, 'day,weight')).choices;
      assert.match(choice?.options[choice.suggested]?.label ?? '', /^Average of weight/);
    });
  });
});

describe('readSeries: problems', () => {
  it('points at the line and range of the cell', () => {
    const text =
      '"date","sales, net"\r\n2021-01-01,1\r\n\r\n"2021-01-02", "oops" \r\n2021-01-03,3\r\nnever,4\r\n2021-01-05,5\r\n';
    const where = read(text).problems.filter(({ severity }) => severity === 'error');
    assert.deepEqual(where.map(({ line, column, endColumn, message }) => [line, column, endColumn, message]), [
      [4, 15, 21, '“oops” is not a number.'],
      [6, 1, 6, '“never” is not a time like those in the other rows.'],
    ]); // prettier-ignore
  });

  it('replaces limits such as <1 by half of them, with a note instead of problems', () => {
    const cell = (i: number) => (i === 3 || i === 7 ? '<0.5' : i === 11 ? '> 90' : String(i + 1));
    const document = read(lines(20, (i) => `${day(i)},${cell(i)}`, 'date,nitrate'));
    assert.deepEqual([3, 7, 11].map((i) => document.series[0]?.values[i]), [0.25, 0.25, 90]); // prettier-ignore
    assert.deepEqual(document.problems.map(({ line, severity, kind }) => [line, severity, kind]), [[5, 'info', 'note']]); // prettier-ignore
    const classes = lines(20, (i) => `${day(i >> 1)},${i % 2 ? '<18' : '>65'},${i}`, 'date,age,visits');
    assert.deepEqual(read(classes).series.map(({ id }) => id), ['>65', '<18'], 'classes tell series apart'); // prettier-ignore
  });

  it('reads words that come again among numbers as missing, with a note instead of problems', () => {
    const cell = (i: number) => (i % 4 === 3 ? 'M' : i === 6 ? 'T' : `${i}.5`);
    const text = lines(20, (i) => `${day(i)},${cell(i)},${i}`, 'date,mslp,count');
    const { series, problems } = read(text);
    assert.deepEqual(series.map(({ id, points }) => [id, points]), [['mslp', 14], ['count', 20]]); // prettier-ignore
    assert.deepEqual(problems.map(({ line, severity, message }) => [line, severity, message]), [
      [5, 'info', '5 cells of “mslp” contain a word such as “M” instead of a number and were read as missing.'],
      [8, 'error', '“T” is not a number.'],
    ]); // prettier-ignore
  });

  it('counts lines across quoted cells with line breaks', () => {
    const text = `date,note,v\n2021-01-01,"two\nlines",1\n2021-01-02,,?!\n${lines(6, (i) => `2021-01-0${i + 3},,${i}`)}`;
    assert.deepEqual(read(text).problems.map(({ line }) => line), [4]); // prettier-ignore
  });

  it('reports gaps, duplicates and rows in the wrong order', () => {
    const rows = [1, 2, 3, 5, 6, 6, 7, 10, 9, 11, 12].map((d) => `2021-01-${pad(d)},${d}`);
    const problems = read(`d,v\n${rows.join('\n')}\n`).problems.map(({ line, kind }) => `${line} ${kind}`);
    assert.deepEqual(problems, ['5 gap', '7 duplicate', '10 out-of-order']);
  });

  it('reports comment lines between rows, which may be data', () => {
    const text = `# title\nd,v\n${lines(6, (i) => `2021-01-0${i + 1},${i}`)}#7,8\n`;
    assert.deepEqual(read(text).problems.map(({ line, kind }) => [line, kind]), [[9, 'note']]); // prettier-ignore
  });

  it('locates problems in JSON by line', () => {
    const text =
      '[\n{"t": "2021-01-01", "v": 1},\n{"t": "2021-01-02", "v": "?!"},\n{"t": "2021-01-03", "v": 3},\n{"t": "2021-01-04", "v": 3}]';
    assert.deepEqual(read(text, 'a.json').problems.map(({ line, message }) => [line, message]), [[3, '“?!” is not a number.']]); // prettier-ignore
  });
});

describe('readSeries: encoding', () => {
  const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));
  const text = lines(30, (i) => `${day(i)};${i}`, 'Tag;Höhe');

  it('reads UTF-8, UTF-16 with and without a byte order mark, and Latin-1', () => {
    const found = [bytes(text, 'utf8'), bytes(`\ufeff${text}`, 'utf8'), bytes(text, 'utf16le'), bytes(`\ufeff${text}`, 'utf16le'), bytes(text, 'latin1')]; // prettier-ignore
    for (const each of found) assert.equal(read(each).series[0]?.id, 'Höhe');
    assert.deepEqual(found.map((each) => read(each).format.encoding), ['utf-8', 'utf-8', 'utf-16le', 'utf-16le', 'windows-1252']); // prettier-ignore
  });

  it('reads Latin-1 after a megabyte of ASCII, and UTF-8 split anywhere', async () => {
    const { SeriesReader } = await import('../../../src/reading/read.ts');
    const late = bytes(
      `d,v,note\n${lines(60_000, (i) => `${new Date(i * 60_000).toISOString()},${i},`)}2030-01-01,1,Köln\n`,
      'latin1',
    );
    assert.equal(read(late).format.encoding, 'windows-1252');
    const reader = new SeriesReader({ fileName: 'a.csv' });
    for (const byte of bytes(text, 'utf8')) reader.push(Uint8Array.of(byte));
    assert.equal(reader.finish().series[0]?.id, 'Höhe');
  });
});
