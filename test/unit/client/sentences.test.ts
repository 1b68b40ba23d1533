import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { errorOfAnswer, localized, sentenceOf } from '../../../src/client/errors.ts';
import { failure, isKnown, SENTENCES } from '../../../src/contract/failures.ts';
import { problemOf, RequestError } from '../../../src/service/errors.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the sentences of a service', () => {
  beforeEach(() => {
    l10n.config({ fsPath: path.join(root, 'l10n/bundle.l10n.de.json') });
  });
  afterEach(() => {
    l10n.config({ contents: {} });
  });

  it('exist for each code, with its values in order', () => {
    for (const [code, sentence] of Object.entries(SENTENCES)) {
      const places = new Set(sentence.match(/\{\d\}/g));
      assert.deepEqual(
        [...places],
        Array.from(places, (_, index) => `{${index}}`),
        code,
      );
    }
  });

  it('exist for each code of the engine', () => {
    const met: string[] = [];
    for (const name of readdirSync(path.join(root, 'src/engine'), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const text = readFileSync(path.join(root, 'src/engine', name), 'utf8');
      for (const [, code] of text.matchAll(/new (?:\w*Dataset|\w*Series|Engine|Sums)Error\(\s*'([^']*)'/g))
        met.push(code);
    }
    assert.ok(met.length >= 8, met.join(' '));
    assert.deepEqual(
      met.filter((code) => !isKnown(code)),
      [],
    );
  });

  it('are in the display language, with the values in the order of that language', () => {
    const short = failure('few_observations', 6, 12);
    assert.equal(sentenceOf(short), 'Keine der Reihen hat genug Beobachtungen, um die letzten 6 Schritte zurückzuhalten und mit dem Rest zu trainieren; davor braucht es mindestens 12.'); // prettier-ignore
    assert.match(sentenceOf(failure('folder_unusable', '/a', failure('disk_full'))) ?? '', /in \/a nicht gespeichert werden: [Dd]er Datenträger ist voll\. /); // prettier-ignore
    assert.equal(sentenceOf(failure('no_stored_series', '{0} “a”')), 'Es gibt keine Reihe „{0} “a”“.');
  });

  it('are unchanged where they are of another service', () => {
    for (const said of [
      'Quota exceeded.',
      { code: 'quota', params: [], detail: 'Quota exceeded.' },
      { code: 404 },
      { code: 'busy' },
      null,
    ])
      // prettier-ignore
      assert.equal(sentenceOf(said), undefined);
    assert.match(
      errorOfAnswer({ status: 422, body: { code: 'quota', detail: 'Quota exceeded.' }, name: 'Other' }).message,
      /Quota exceeded\./,
    );
    assert.match(
      errorOfAnswer({ status: 409, body: { code: 'toString', params: [], detail: 'Held.' }, name: 'Other' }).message,
      /Held\./,
    );
  });

  it('are localized in refusals, errors of jobs, notes, and descriptions of models', () => {
    const at = RequestError.field(['body', 'series', 3, 'timestamp'], failure('timestamp_too_far', 'x')).problem;
    assert.equal(at.detail, 'series.3.timestamp: “x” is outside the range of dates that can be forecast.');
    assert.match(
      errorOfAnswer({ status: 422, body: at, name: 'Ours' }).message,
      /series\.3\.timestamp: „x“ liegt außerhalb des Zeitraums/,
    );
    const gone = problemOf(404, failure('no_dataset', 'd'));
    assert.match(errorOfAnswer({ status: 404, body: gone, name: 'Ours' }).message, /Es gibt keinen Datensatz „d“\./);
    const answer = localized({
      id: 'prediction_1',
      error: failure('unobserved'),
      description: failure('model_theta'),
      details: { epochs: 3, warnings: [failure('epochs_unused', 'theta'), 'Mind the gap.'] },
    }) as Record<string, unknown>;
    assert.equal(answer.error, 'Die Reihe hat keinen beobachteten Wert, der prognostiziert oder zerlegt werden könnte.'); // prettier-ignore
    assert.match(String(answer.description), /Theta-/);
    assert.deepEqual(answer.details, { epochs: 3, warnings: ['max_epochs bewirkt nichts: theta wird nicht in Epochen trainiert.', 'Mind the gap.'] }); // prettier-ignore
    assert.equal(localized(undefined), undefined);
  });
});
