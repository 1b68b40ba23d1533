import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Extension } from './extension.ts';

const rows = Array.from(
  { length: 30 },
  (_, month) => `${2022 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01,${100 + month}`,
);

describe('storage of the local service', () => {
  const extension = new Extension();
  const keepDays = async () => (await extension.app.connection.session('local')!.client.do('getStorage')).keep_days;

  it('is shown with its size, and kept for the chosen time', async () => {
    const { person, window } = extension;
    await extension.run('forecast', extension.file('sales.csv', `month,sales\n${rows.join('\n')}\n`));
    assert.equal(await keepDays(), undefined);
    person.picks('$(history) Keep Predictions for…').types('90').presses('Delete');
    await extension.run('manageStorage');
    assert.match(person.inputs[0].text, /1 predictions and 0 datasets in \d+\.\d MB/);
    assert.equal(window.settings.get('forecasts.keepPredictionsForDays'), 90);
    assert.equal(await keepDays(), 90, 'the service that runs is told');
    await extension.stop();
    extension.start();
    assert.equal(await keepDays(), 90, 'the next one is started with it');
    window.setSetting('forecasts.keepPredictionsForDays', undefined);
  });

  it('is repaired from the message that it is damaged', async () => {
    const { person } = extension;
    const { folder } = extension.app;
    await extension.stop();
    for (const end of ['-wal', '-shm']) rmSync(path.join(folder, `forecasts.db${end}`), { force: true });
    writeFileSync(path.join(folder, 'forecasts.db'), 'no database '.repeat(1000));
    extension.start();
    person.presses('Repair…').presses('Repair').presses('Copy Path');
    const file = extension.file('sales.csv', `month,sales\n${rows.join('5\n')}5\n`);
    await extension.run('forecast', file);
    assert.match(person.texts[0], /is damaged or not a database/);
    const [aside] = readdirSync(folder).filter((name) => name.startsWith('forecasts-set-aside-'));
    assert.equal(extension.window.clipboard, path.join(folder, aside));
    await extension.run('forecast', file);
    assert.equal((await extension.app.connection.session('local')!.client.listPredictions()).items.length, 1);
  });
});
