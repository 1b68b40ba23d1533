import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { themes, type Window } from './window.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a page has to be measured by, as far as these tests call it. */
interface Measured {
  axe: { run: (root: unknown) => Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }> };
  document: unknown;
}

/** What axe-core finds in the page in front, each with the elements. */
async function findings(workbench: Window): Promise<string[]> {
  const page = workbench.webviewFrame().locator('html');
  await page.evaluate((_, source) => {
    (0, eval)(source);
  }, axe);
  return page.evaluate(async () => {
    const { axe, document } = globalThis as unknown as Measured;
    const { violations } = await axe.run(document);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  });
}

/** A part of a page, and how to come to it. */
export interface Sight {
  readonly name: string;
  readonly open: () => Promise<unknown>;
}

/**
 * As {@link lookInAllThemes} of several parts of a page, changing the theme as seldom as that takes.
 * @param only these themes; all where absent
 */
export async function lookAtAllInAllThemes(
  workbench: Window,
  sights: readonly Sight[],
  only: readonly (keyof typeof themes)[] = Object.keys(themes) as (keyof typeof themes)[],
): Promise<void> {
  const found: string[] = [];
  for (const theme of only) {
    await workbench.setTheme(themes[theme]);
    for (const { name, open } of sights) {
      await open();
      found.push(...(await findings(workbench)).map((finding) => `${name}, ${theme}: ${finding}`));
      await workbench.shot(`${name}-${theme}`);
    }
  }
  assert.deepEqual(found, []);
}

/** Looks at the page in front in all four themes: axe-core must find nothing in any, and there is a picture of each. */
export async function lookInAllThemes(workbench: Window, name: string): Promise<void> {
  const found: Record<string, string[]> = {};
  for (const [theme, id] of Object.entries(themes)) {
    await workbench.setTheme(id);
    found[theme] = await findings(workbench);
    await workbench.shot(`${name}-${theme}`);
  }
  assert.deepEqual(found, { light: [], dark: [], highContrast: [], highContrastLight: [] });
}
