import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Extension } from '../extension.ts';
import { PlainService } from '../plain-service.ts';
import { months, seasonal } from '../series-text.ts';

describe('forecast without writable records', () => {
  const extension = new Extension();

  it('has its chart, with one message about the failure', async () => {
    const { app, person, window } = extension;
    const notes = path.join(app.folder, 'notes');
    rmSync(notes, { recursive: true, force: true });
    writeFileSync(notes, ''); // where a folder should be
    for (const name of ['air.csv', 'sea.csv'])
      await extension.run('forecast', extension.file(name, months(60, { passengers: seasonal })));
    assert.deepEqual(
      window.panels.map(({ title }) => title.includes('air') || title.includes('sea')),
      [true, true],
    );
    assert.equal(person.texts.length, 1);
    assert.match(person.texts[0], /^What this editor remembers about forecasts and models cannot be written to /);
    const { client } = await app.connection.ready();
    const { items } = await client.listPredictions({ size: 20 }, false);
    assert.equal(items.length, 2, 'nothing is made twice');
  });

  it('has its chart although its model cannot be recorded', async () => {
    const { app, window } = extension;
    const before = window.panels.length;
    const { settle } = app.madeModels;
    app.madeModels.settle = () => {
      throw new Error('no room');
    };
    try {
      window.setSetting('forecasts.defaultModel', 'theta');
      await extension.run('forecast', extension.file('lake.csv', months(60, { passengers: seasonal })));
      assert.equal(window.panels.length, before + 1);
    } finally {
      app.madeModels.settle = settle;
    }
  });
});

describe('forecast during a switch of services', () => {
  const extension = new Extension();
  const service = new PlainService(extension);

  it('is made only by the service that it began with', async () => {
    const { app, window } = extension;
    const { info } = app.connection.inUse;
    const { memory } = app;
    const find = memory.find.bind(memory);
    memory.find = (serviceId, key) => {
      window.setSetting('forecasts.service', 'local');
      return find(serviceId, key);
    };
    await extension.run('forecast', extension.file('air.csv', months(36, { passengers: seasonal })));
    assert.equal(service.created.length, 1);
    assert.equal((await app.connection.session('local')!.client.listPredictions({ size: 1 }, false)).items.length, 0);
    assert.equal(memory.recall(info.id, 'made-0')?.label, 'air.csv');
  });
});
