import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { nextName } from '../../../../src/editor/training/further.ts';

describe('the name of a model that is trained further', () => {
  const { t } = vscode.l10n;
  afterEach(() => {
    Object.assign(vscode.l10n, { t });
  });

  /** As the editor in German. */
  const inGerman = () => {
    const words: Record<string, string> = { ', further': ', weiter', ', further {0}': ', weiter {0}' };
    Object.assign(vscode.l10n, {
      t: (text: string, ...args: string[]) => (words[text] ?? text).replace('{0}', () => args[0]),
    });
  };
  const three = (name: string) => [1, 2, 3].reduce<string[]>((names) => [...names, nextName(names.at(-1) ?? name)], []);

  it('counts how often it was', () => {
    assert.deepEqual(three('Retail'), ['Retail, further', 'Retail, further 2', 'Retail, further 3']);
    assert.equal(nextName('Retail, further 99'), 'Retail, further 100');
    assert.equal(nextName('Shop 7'), 'Shop 7, further');
    assert.equal(nextName('further 3'), 'further 3, further');
  });

  it('counts in the language of the editor', () => {
    inGerman();
    assert.deepEqual(three('Handel'), ['Handel, weiter', 'Handel, weiter 2', 'Handel, weiter 3']);
    assert.equal(nextName('Shop 7'), 'Shop 7, weiter');
  });

  it('is another one each time, however long', () => {
    for (const language of [() => undefined, inGerman]) {
      language();
      const names = new Set<string>();
      for (let name = nextName('x'.repeat(200)); names.size < 120; name = nextName(name)) {
        assert.ok(!names.has(name) && name.length <= 200, name.slice(-20));
        names.add(name);
      }
    }
  });
});
