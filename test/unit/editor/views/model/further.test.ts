import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type { LocalFineTunedModel } from '../../../../../src/contract/resources.ts';
import { furtherName, trainFurther } from '../../../../../src/editor/training/fine-tune.ts';
import { Cancelled } from '../../../../../src/editor/ui/say.ts';
import { Extension } from '../../extension.ts';

describe('name of a continued model', () => {
  const { t } = vscode.l10n;
  afterEach(() => {
    Object.assign(vscode.l10n, { t });
  });

  /** As the editor in German. */
  const inGerman = () => {
    const words: Record<string, string> = { ', continued': ', weiter' };
    Object.assign(vscode.l10n, {
      t: (text: string, ...args: string[]) => (words[text] ?? text).replace('{0}', () => args[0]),
    });
  };
  const three = (name: string) =>
    [1, 2, 3].reduce<string[]>((names) => [...names, furtherName(names.at(-1) ?? name, new Set(names))], []);

  it('counts the trainings', () => {
    assert.deepEqual(three('Retail'), ['Retail, continued', 'Retail, continued 2', 'Retail, continued 3']);
    assert.equal(furtherName('Shop 7', new Set()), 'Shop 7, continued');
  });

  it('counts in the language of the editor', () => {
    inGerman();
    assert.deepEqual(three('Handel'), ['Handel, weiter', 'Handel, weiter 2', 'Handel, weiter 3']);
  });

  it('is unique, also for long names', () => {
    for (const language of [() => undefined, inGerman]) {
      language();
      const names = new Set<string>();
      for (let name = furtherName('x'.repeat(200), names); names.size < 120; name = furtherName(name, names)) {
        assert.ok(!names.has(name) && name.length <= 200, name.slice(-20));
        names.add(name);
      }
    }
  });
});

describe('continued training', () => {
  const extension = new Extension();
  const model = { id: 'model_of_the_tests', name: 'Retail', status: 'COMPLETED' } as unknown as LocalFineTunedModel;

  /** Trains it further at a service that loses its first answers. @returns what it was asked to make */
  async function trained(lost: number): Promise<unknown[]> {
    const { client } = extension.app.connection.session('local')!;
    const asked: unknown[] = [];
    client.createFineTunedModel = (request) => {
      asked.push(request);
      if (asked.length > lost) return Promise.resolve({ ...model, id: 'model_further', name: 'Retail, continued' });
      return Promise.reject(new ServiceError('timeout', 'The answer was lost.', { outcomeUnknown: true }));
    };
    try {
      await trainFurther(extension.app, 'local', model).catch((error: unknown) => {
        assert.ok(error instanceof Cancelled);
      });
    } finally {
      Reflect.deleteProperty(client, 'createFineTunedModel');
    }
    return asked;
  }

  it('creates a model from the former one, and opens its page', async () => {
    assert.deepEqual(await trained(0), [{ start_model: model.id, name: 'Retail, continued' }]);
    assert.equal(extension.window.panels.at(-1)?.title, 'Retail, continued');
  });

  it('uses no other service if its own is no longer set up', async () => {
    const further = trainFurther(extension.app, 'https://gone.example/', model);
    await assert.rejects(further, /^ServiceError: https:\/\/gone\.example\/ is no longer set up/);
  });

  it('is not requested twice after a lost answer without confirmation', async () => {
    assert.equal((await trained(1)).length, 1);
    extension.person.presses('Send Again');
    assert.equal((await trained(1)).length, 2);
    const question = { text: 'The answer was lost.', buttons: ['Send Again'] };
    assert.deepEqual(extension.person.read.map(({ text, buttons }) => ({ text, buttons })), [question, question]); // prettier-ignore
  });
});
