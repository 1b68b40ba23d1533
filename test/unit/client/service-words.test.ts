import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { errorOfAnswer } from '../../../src/client/errors.ts';
import { SENTENCES } from '../../../src/client/service-sentences.ts';
import { inOwnWords, toldInOwnWords } from '../../../src/client/service-words.ts';
import { unwrappedIn } from '../unwrapped.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const german = JSON.parse(readFileSync(path.join(root, 'l10n/bundle.l10n.de.json'), 'utf8')) as Record<string, string>;

/** Where the service and the engine say something to people. */
const ROOMS = ['service', 'engine', 'contract'];

/**
 * What nobody meets from the editor: it is for who starts a service or writes a program that calls one, describes the
 * interface, or is for the log.
 */
const FOR_OTHERS = [
  /^service\/(server|http\/(guard|openapi|arrivals|streams|access)\.ts|host\/(service|token-file)\.ts)/,
  /^service\/((database|store)\/(starting|creations|cursor|added-series|postgres-)|tasks\/(forecast-lines|stream|bodies|cut)\.ts)/,
  /^contract\/(analyses|forecast-file|operation|operations|streams)\.ts/,
  /: (The queues in the database cannot|Give (a series|either series)|The client has gone|There is no model "|\{\} is (a whole number|\{\}\.)|This is not a \{\} of this service)/,
  /^engine\/(neural\/weights|bank\/|adjustments\/)/,
];

/** What the values of a sentence come to, where they are words of the service itself. */
const VALUES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'There is no {}.': [['series “a”'], ['dataset “a”'], ['dataset with the tag “a”']],
  'There is no {} “{}”.': [['dataset', 'a'], ['series', 'a'], ['fine-tuned model', 'a'], ['prediction', 'a'], ['key', 'a']], // prettier-ignore
  'The {} was deleted before the training was done. Create the model anew from series that are stored.': [['series “a”'], ['dataset “a”'], ['dataset with the tag “a”']], // prettier-ignore
  'The model “{}” {}.': [
    ['a', 'could not be trained'],
    ['a', 'is still being trained'],
  ],
  'The series {}, so the model was used as it is.': [['is constant'], ['is too short to be fine-tuned on']],
  'This key may have {} series {} on a day (UTC). Try again tomorrow, or with another key.': [['7', 'forecast'], ['7', 'stored']], // prettier-ignore
};

/** Ends of sentences that are written once, and a sentence that ends so. */
const ENDS: Readonly<Record<string, string>> = {
  'was trained by another version, in a form that this one cannot use. Train it anew.': 'The model “a” {}',
  'Base models: {}.': 'There is no model “a”. {}',
};

const filled = (text: string): string[] =>
  (VALUES[text] ?? [[]]).map((values) => {
    let index = 0;
    return (ENDS[text]?.replace('{}', text) ?? text).replaceAll('{}', () => values[index++] ?? 'a');
  });

describe('what a service says', () => {
  afterEach(() => {
    l10n.config({ contents: {} });
  });

  it('is in the language of the editor, whatever of it a person can meet there', () => {
    const marked = Object.fromEntries(SENTENCES.map((sentence) => [sentence, `⟨${sentence}⟩`]));
    l10n.config({ contents: marked });
    const left: string[] = [];
    let met = 0;
    for (const room of ROOMS) {
      for (const name of readdirSync(path.join(root, 'src', room), { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.ts')) continue;
        const file = `${room}/${name.replaceAll(path.sep, '/')}`;
        for (const { text, line } of unwrappedIn(readFileSync(path.join(root, 'src', file), 'utf8'))) {
          if (!/[.!]$/.test(text) || text.split(' ').length < 3) continue;
          if (FOR_OTHERS.some((other) => other.test(`${file}: ${text}`))) continue;
          met++;
          if (filled(text).some((one) => !inOwnWords(one).startsWith('⟨'))) left.push(`${file}:${line}: ${text}`);
        }
      }
    }
    assert.ok(met > 80, String(met));
    assert.deepEqual(left, [], 'add these to src/client/service-sentences.ts, with their German');
  });

  it('keeps its values, in the order of the other language', () => {
    l10n.config({ contents: german });
    assert.equal(
      inOwnWords('The training series are too short: at least 12 observations are needed before the last 6 steps, and one after that as a check. Give longer series or a shorter prediction_length.'), // prettier-ignore
      'Die Reihen zum Trainieren sind zu kurz: Vor the last 6 steps braucht es mindestens 12 Beobachtungen und danach eine zur Prüfung. Geben Sie längere Reihen oder eine kürzere prediction_length.', // prettier-ignore
    );
    assert.equal(inOwnWords('There is no series “{0} “a””.'), 'Es gibt keine Reihe „{0} “a”“.');
    assert.match(inOwnWords('The forecasts cannot be stored in /a: the disk is full. Choose another folder, or mend this.'), /in \/a nicht gespeichert werden: Der Datenträger ist voll\. /); // prettier-ignore
  });

  it('is left as it is where another service says it, or where it only begins alike', () => {
    l10n.config({ contents: german });
    for (const text of ['Quota exceeded.', 'There is no series “a”. Look elsewhere', 'Deleted', '', 'x'.repeat(9_000)])
      assert.equal(inOwnWords(text), text);
  });

  it('is so in refusals, in the reasons of jobs, in notes and in the descriptions of models', () => {
    l10n.config({ contents: german });
    const detail = [{ loc: ['body', 'series', 3, 'timestamp'], msg: '“x” is beyond what can be forecast.' }];
    assert.match(errorOfAnswer(422, { detail }, 'Ours').message, /series\.3\.timestamp: „x“ liegt jenseits dessen/);
    assert.match(errorOfAnswer(404, { detail: 'There is no dataset “d”.' }, 'Ours').message, /Es gibt keinen Datensatz „d“\./); // prettier-ignore
    const told = toldInOwnWords({
      id: 'prediction_1',
      error: 'The series has no observed value, so there is nothing to forecast from.',
      details: { epochs: 3, warnings: ['max_epochs has no effect: theta does not learn in epochs.', 7] },
    });
    assert.equal(told.error, 'Die Reihe hat keinen beobachteten Wert, daher gibt es nichts, wovon prognostiziert werden kann.'); // prettier-ignore
    assert.deepEqual(told.details, { epochs: 3, warnings: ['max_epochs bewirkt nichts: theta lernt nicht in Epochen.', 7] }); // prettier-ignore
    assert.equal(toldInOwnWords(undefined), undefined);
  });
});
