import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { App } from '../../../src/editor/app.ts';
import { commandsOf } from '../../../src/editor/commands.ts';
import { COMMANDS, CONTEXTS, FORECAST_EDITOR, settingId, SETTINGS, VIEWS } from '../../../src/editor/names.ts';
import type { OutputChannel } from 'vscode';

interface MenuEntry {
  readonly command: string;
  readonly when?: string;
}
interface WalkthroughStep {
  readonly description: string;
  readonly media: { readonly markdown?: string; readonly image?: Readonly<Record<string, string>> };
}
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { command: string; title: string; category: string }[];
    readonly views: { readonly forecasts: readonly { id: string }[] };
    readonly configuration: { readonly properties: Readonly<Record<string, { scope?: string }>> };
    readonly submenus: readonly { id: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly viewsWelcome: readonly { view: string; contents: string; when?: string }[];
    readonly walkthroughs: readonly { steps: readonly WalkthroughStep[] }[];
  };
}

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as Manifest;
const { commands, submenus, views, configuration, menus, viewsWelcome, walkthroughs } = manifest.contributes;
const all = Object.keys(commandsOf({} as App, () => ({}) as OutputChannel)).map((name) => `forecasts.${name}`);
const rows = new Set<string>([COMMANDS.loadMore, COMMANDS.explainProblem]);
const sorted = (values: Iterable<string>) => [...values].toSorted();

const settingIds = Object.keys(SETTINGS).map(settingId);

describe('IDs in package.json and in the code', () => {
  it('are the same for commands, views and settings', () => {
    assert.deepEqual(
      sorted(commands.map(({ command }) => command)),
      sorted(all).filter((id) => !rows.has(id)),
    );
    for (const id of Object.values(COMMANDS)) assert.ok(all.includes(id), id);
    assert.deepEqual(sorted(views.forecasts.map(({ id }) => id)), sorted(Object.values(VIEWS)));
    assert.deepEqual(sorted(Object.keys(configuration.properties)), sorted(settingIds));
  });

  it('exist wherever menus, welcome views, walkthroughs and conditions name them', () => {
    const text = JSON.stringify({ menus, viewsWelcome, walkthroughs });
    const known = new Set<string>([
      ...all,
      ...Object.values(VIEWS),
      ...Object.values(CONTEXTS),
      ...settingIds,
      FORECAST_EDITOR,
      ...submenus.map(({ id }) => id),
    ]);
    for (const [name] of text.matchAll(/forecasts\.\w+/g)) assert.ok(known.has(name), name);
    const palette = new Set(
      menus.commandPalette.filter((entry) => entry.when === 'false').map((entry) => entry.command),
    );
    const elsewhere = new Set(
      Object.entries(menus).flatMap(([menu, entries]) =>
        menu === 'commandPalette' ? [] : entries.map((entry) => entry.command),
      ),
    );
    for (const command of palette) assert.ok(elsewhere.has(command), `${command} can be called from nowhere`);
  });

  it('include at most 34 commands, and few entries in the menus of files', () => {
    assert.ok(commands.length <= 34, String(commands.length));
    const ofFiles = ['explorer/context', 'editor/title/context', 'editor/context'].map((menu) => menus[menu]);
    for (const entries of ofFiles)
      for (const entry of entries)
        assert.ok('submenu' in entry || /\.forecast(?:Selection)?$/.test(entry.command), entry.command);
  });

  it('offer Forecast for series files, and for no file of a project', () => {
    const [{ when = '' }] = menus['editor/title/context'];
    const [is, not] = [...when.matchAll(/(\w+) =~ \/(.+?)\/i(?=\)| |$)/g)].map(
      ([, , pattern]) => new RegExp(pattern, 'i'),
    );
    const isOffered = (file: string) => is.test(/\.\w+$/.exec(file)?.[0] ?? '') && !not.test(file);
    const series = ['sales.csv', 'data.json', 'a.b.TSV', 'my-package.json', 'log.txt', 'unlocked.json', 'x.parquet'];
    assert.deepEqual(series.filter((file) => !isOffered(file)), []); // prettier-ignore
    const others = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'jsconfig.json', 'composer.lock', 'yarn.lock', 'deno.lock', 'flake.lock.json', 'analysis.ipynb', 'requirements.txt', 'requirements-dev.txt', 'LICENSE.txt', 'a.forecast.json', 'jest.config.json', 'picture.png']; // prettier-ignore
    assert.deepEqual(others.filter(isOffered), []);
    for (const entries of Object.values(menus))
      for (const { when: other = '' } of entries)
        for (const [pattern] of other.matchAll(/\^\(package.+?\/i/g)) assert.ok(when.includes(pattern), pattern);
  });

  it('include the pages and pictures of the walkthrough', () => {
    const media = walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media));
    const files = media.flatMap(({ markdown, image }) => [
      ...(markdown ? [markdown] : []),
      ...Object.values(image ?? {}),
    ]);
    assert.ok(files.length >= 5);
    for (const file of files) assert.ok(existsSync(new URL(`../../../${file}`, import.meta.url)), file);
  });

  it('keep settings that direct a token out of workspaces', () => {
    for (const name of ['service', 'remoteServices', 'caFiles'].map(settingId)) {
      assert.equal(configuration.properties[name].scope, 'application', name);
    }
  });
});
