import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { holidaysOf } from '../../../../src/reading/holidays/library.ts';
import { Extension } from '../extension.ts';

const DAY = 86_400_000;
const first = Date.UTC(2023, 0, 2) / DAY;
const iso = (i: number): string => new Date((first + i) * DAY).toISOString().slice(0, 10);
const free = new Set(holidaysOf('DE', 2023, 2025).map(({ day }) => day - first));

/** Two years of daily sales that are low on the holidays of Germany, and as far as a day before Easter. */
function shop(isLow: (i: number) => boolean): string {
  const rows = Array.from(
    { length: 450 },
    (_, i) => `${iso(i)},${(isLow(i) ? 20 : 100) + 5 * (i % 7) + ((i * 13) % 5)}`,
  );
  return `date,sales\n${rows.join('\n')}\n`;
}

describe('holidays as covariates', () => {
  const extension = new Extension();
  const posted = (): string => {
    const panel = extension.window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    return JSON.stringify(panel.posted);
  };

  it('are not requested without a country', async () => {
    const file = extension.file(
      'plain.csv',
      shop((i) => free.has(i)),
    );
    extension.person.picks('Hybrid').accepts().accepts();
    await extension.run('forecastWithOptions', file);
    assert.equal(extension.person.asked.length, 3);
  });

  it('of the chosen country are offered with their test, and used if accepted', async () => {
    extension.person.picks('Germany');
    await extension.run('chooseHolidays');
    assert.equal(extension.window.settings.get('forecasts.holidays.country'), 'DE');
    const file = extension.file(
      'shop.csv',
      shop((i) => free.has(i)),
    );
    await extension.run('forecast', file);
    assert.doesNotMatch(posted(), /less error than without/);
    extension.person.picks('Hybrid').accepts().accepts().types('14');
    await extension.run('forecastWithOptions', file);
    const offered = extension.person.offered.at(-2)!;
    assert.deepEqual(
      offered.map(({ label, description }) => [label, description]),
      [
        ['holiday (DE)', 'known for any horizon'],
        ['bridge day (DE)', 'known for any horizon'],
      ],
    );
    assert.equal(offered[0].detail, 'Helped in a backtest');
    const page = posted();
    assert.match(page, /with holiday \(DE\): \d+% less error than without/);
    assert.match(page, /14 days ahead/);
  });

  it('are events of a file beside the series', async () => {
    const fairs = [100, 170, 250, 300, 340, 390, 420, 455];
    extension.file('events.csv', `date,name,until\n${fairs.map((i) => `${iso(i)},Fair,${iso(i + 2)}`).join('\n')}\n`);
    const isFair = (i: number): boolean => fairs.some((fair) => i >= fair && i <= fair + 2);
    const file = extension.file('fair.csv', shop(isFair));
    extension.person.picks('Hybrid').picks('Fair').accepts().types('14');
    await extension.run('forecastWithOptions', file);
    assert.match(posted(), /with Fair: \d+% less error than without/);
    await extension.run('forecast', file);
    assert.match(posted(), /with Fair/);
  });

  it('report the location of an error in the events file', async () => {
    extension.window.setSetting('forecasts.holidays.events', 'none.csv');
    const file = extension.file(
      'named.csv',
      shop((i) => free.has(i)),
    );
    await extension.run('forecastWithOptions', file);
    assert.match(extension.person.texts.at(-1)!, /Cannot read the event file none\.csv/);
  });

  it('are never fetched from another machine or read from an untrusted workspace’s path', async () => {
    const file = extension.file(
      'remote.csv',
      shop((i) => free.has(i)),
    );
    const asked: string[] = [];
    const { fs } = extension.window.workspace;
    const { stat } = fs;
    fs.stat = (uri) => {
      asked.push(uri.authority);
      return stat(uri);
    };
    for (const elsewhere of ['//evil.example/share/e.csv', '\\\\evil.example\\share\\e.csv', '/\\evil.example/share']) {
      extension.window.setSetting('forecasts.holidays.events', elsewhere);
      await extension.run('forecastWithOptions', file);
      assert.match(extension.person.texts.at(-1)!, /is on another machine\. Set /);
    }
    fs.stat = stat;
    assert.deepEqual([...new Set(asked)].filter(Boolean), []);
    const { capabilities, contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      capabilities: { untrustedWorkspaces: { supported: unknown; restrictedConfigurations: string[] } };
      contributes: { configuration: { properties: Record<string, { scope: string; type: string; markdownDescription?: string }> } }; // prettier-ignore
    };
    // what the editor restricts only where the support is said to be limited
    const { supported, restrictedConfigurations } = capabilities.untrustedWorkspaces;
    assert.deepEqual([supported, restrictedConfigurations], ['limited', ['forecasts.holidays.events']]);
    const known = Object.keys(contributes.configuration.properties);
    assert.deepEqual(restrictedConfigurations.filter((name) => !known.includes(name)), []); // prettier-ignore
  });
});
