import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../src/client/client.ts';
import { ServiceError } from '../../../../src/client/errors.ts';
import type { LocalPrediction } from '../../../../src/contract/resources.ts';
import { storeSelected } from '../../../../src/editor/many-series/page.ts';
import { Extension } from '../extension.ts';

const series = (first: number) =>
  Array.from({ length: 24 }, (_, i) => ({ timestamp: new Date(Date.UTC(2020, i)).toISOString(), value: first + i }));

describe('dataset of selected forecasts', () => {
  const extension = new Extension();
  const chosen = Array.from({ length: 20 }, (_, i) => ({
    id: `made-${i}`,
    status: 'COMPLETED',
    name: `Series ${i}`,
  })) as unknown as LocalPrediction[];

  /** Stores them; the predictions are read from what answers by their number. */
  async function stored(name: string, answer: (index: number) => void) {
    const { app, person } = extension;
    const { inUse } = app.connection;
    const read: number[] = [];
    const client = new Proxy(inUse.client, {
      get: (target, key) => {
        if (key === 'getPrediction')
          return async (id: string) => {
            const index = Number(id.slice('made-'.length));
            read.push(index);
            await new Promise((resolve) => setImmediate(resolve));
            answer(index);
            return { id, input_series: series(index) };
          };
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }) as ServiceClient;
    person.types(name);
    const ended = await storeSelected(app, { ...inUse, client }, 'stores.csv', chosen).catch((error: unknown) => error);
    const all = (await inUse.client.listDatasets({}, true)).items;
    return { ended, read, dataset: all.find((one) => one.name === name) };
  }

  it('has all their series, and is shown', async () => {
    const { ended, dataset } = await stored('Everything', () => undefined);
    assert.equal(ended, undefined);
    assert.equal(dataset?.series_count, 20);
    assert.deepEqual(extension.person.texts, []);
    assert.ok(extension.window.executed.some(({ command }) => command === 'forecasts.datasets.focus'));
  });

  it('leaves out a forecast that was deleted meanwhile, and says so', async () => {
    const { ended, read, dataset } = await stored('Those there', (index) => {
      if (index === 3 || index === 5) throw new ServiceError('not-found', `There is no prediction ${index}.`);
    });
    assert.equal(ended, undefined);
    assert.equal(read.length, 20);
    assert.equal(dataset?.series_count, 18);
    assert.deepEqual(extension.person.texts, ['18 of 20 series are stored in Those there. The others are not: There is no prediction 3.']); // prettier-ignore
  });

  it('is not created if one cannot be read for another reason, and stops reading', async () => {
    const { ended, read, dataset } = await stored('Nothing', (index) => {
      if (index === 6) throw new ServiceError('unreachable', 'The service is away.');
    });
    assert.match(String(ended), /The service is away/);
    assert.ok(read.length <= 11, String(read));
    assert.equal(dataset, undefined);
  });

  it('is not created from nothing', async () => {
    const { ended, dataset } = await stored('Gone', () => {
      throw new ServiceError('not-found', 'There is no such prediction.');
    });
    assert.match(String(ended), /There is no such prediction/);
    assert.equal(dataset, undefined);
  });
});
