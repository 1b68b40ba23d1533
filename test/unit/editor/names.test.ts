import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { COMMANDS, CONTEXTS, FORECAST_EDITOR, SETTINGS, VIEWS } from '../../../src/editor/names.ts';

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
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly viewsWelcome: readonly { view: string; contents: string; when?: string }[];
    readonly walkthroughs: readonly { steps: readonly WalkthroughStep[] }[];
  };
}

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as Manifest;
const { commands, views, configuration, menus, viewsWelcome, walkthroughs } = manifest.contributes;
const sorted = (values: Iterable<string>) => [...values].toSorted();

describe('ids in package.json and in the code', () => {
  it('are the same for commands, views and settings', () => {
    assert.deepEqual(sorted(commands.map(({ command }) => command)), sorted(Object.values(COMMANDS)));
    assert.deepEqual(sorted(views.forecasts.map(({ id }) => id)), sorted(Object.values(VIEWS)));
    assert.deepEqual(sorted(Object.keys(configuration.properties)), sorted(Object.values(SETTINGS)));
  });

  it('are known wherever menus, welcomes, walkthroughs and conditions name them', () => {
    const text = JSON.stringify({ menus, viewsWelcome, walkthroughs });
    const known = new Set<string>([
      ...Object.values(COMMANDS),
      ...Object.values(VIEWS),
      ...Object.values(CONTEXTS),
      ...Object.values(SETTINGS),
      FORECAST_EDITOR,
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
    // rows of the views and pages of charts call these
    const ofRows = new Set<string>([COMMANDS.loadMore, COMMANDS.explainProblem, COMMANDS.takeTotals]);
    for (const command of palette)
      assert.ok(elsewhere.has(command) || ofRows.has(command), `${command} can be called from nowhere`);
  });

  it('has the pages and pictures of the walkthrough', () => {
    const media = walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media));
    const files = media.flatMap(({ markdown, image }) => [
      ...(markdown ? [markdown] : []),
      ...Object.values(image ?? {}),
    ]);
    assert.ok(files.length >= 5);
    for (const file of files) assert.ok(existsSync(new URL(`../../../${file}`, import.meta.url)), file);
  });

  it('keeps what directs a token out of the reach of workspaces', () => {
    for (const name of [SETTINGS.service, SETTINGS.baseUrl, SETTINGS.remoteServices, SETTINGS.caFiles]) {
      assert.equal(configuration.properties[name].scope, 'application', name);
    }
  });
});
