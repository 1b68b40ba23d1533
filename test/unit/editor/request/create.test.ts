import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Extension } from '../extension.ts';
import { PlainService } from '../plain-service.ts';
import { months, seasonal } from '../series-text.ts';

describe('a forecast of which nothing can be remembered', () => {
  const extension = new Extension();

  it('has its chart all the same, and the trouble is told once', async () => {
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

  it('has its chart where what it told of its model cannot be noted', async () => {
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

describe('a forecast that is being prepared as the person switches the service', () => {
  const extension = new Extension();
  const service = new PlainService(extension);

  it('is made by the service that it began with, and goes to no other', async () => {
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
    assert.equal((await app.connection.local.client.listPredictions({ size: 1 }, false)).items.length, 0);
    assert.equal(memory.recall(info.id, 'made-0')?.label, 'air.csv');
  });
});
