import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { SENTENCES } from '../../src/contract/failures.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8')) as Record<string, string>;
const places = (text: string) => [...new Set(text.match(/\{\d+\}/g))].sort();

/** The English sentences that the sources say through l10n. */
function said(): Set<string> {
  const found = new Set<string>(Object.values(SENTENCES));
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((file) => /\.tsx?$/.test(file))) {
    const text = readFileSync(path.join(root, 'src', name), 'utf8');
    if (!/l10n\.t\(|said`/.test(text)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'said') {
        const { template } = node;
        const spans = ts.isTemplateExpression(template) ? template.templateSpans : [];
        const head = ts.isTemplateExpression(template) ? template.head.text : template.text;
        found.add(spans.reduce((sentence, { literal }, index) => `${sentence}{${index}}${literal.text}`, head));
      }
      if (ts.isCallExpression(node) && /(^|\.)l10n\.t$/.test(node.expression.getText())) {
        const [sentence, ...values] = node.arguments;
        if (ts.isStringLiteralLike(sentence)) {
          // of a list that is spread the types say how many there are
          const isSpread = values.some(ts.isSpreadElement);
          const { length } = isSpread ? places(sentence.text) : values;
          const asked = Array.from({ length }, (_, index) => `{${index}}`);
          assert.deepEqual(places(sentence.text), asked, `${name}: ${sentence.text}`);
          found.add(sentence.text);
        } else assert.match(name, /(phrase|client.errors)\.ts$/, `${name}: ${node.getText()} has no literal sentence`);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  }
  return found;
}

describe('German translation', () => {
  it('has every sentence of the sources and no other', () => {
    const german = read('l10n/bundle.l10n.de.json');
    const english = said();
    assert.ok(english.size > 300);
    assert.deepEqual(
      [...english].filter((text) => !(text in german)),
      [],
      'add them to l10n/bundle.l10n.de.json',
    );
    assert.deepEqual(
      Object.keys(german).filter((text) => !english.has(text)),
      [],
      'nothing says these any more',
    );
  });

  it('has the same placeholders as the English', () => {
    for (const [text, german] of Object.entries(read('l10n/bundle.l10n.de.json'))) {
      assert.deepEqual(places(german), places(text), text);
      assert.notEqual(german.trim(), '', text);
    }
  });

  it('calls a prediction what its view is called', () => {
    const names = read('package.nls.de.json');
    const own = Object.entries(read('package.nls.json')).map(([key, text]) => [text, names[key]]);
    const other = [...Object.entries(read('l10n/bundle.l10n.de.json')), ...own].filter(
      ([text, german]) => /\bpredictions?\b(?! interval)/i.test(text) && !german.includes('Vorhersage'),
    );
    assert.deepEqual(other, []);
  });

  it('has all texts of package.json, which contains none itself', () => {
    const english = read('package.nls.json');
    const german = read('package.nls.de.json');
    const used = [...readFileSync(path.join(root, 'package.json'), 'utf8').matchAll(/"%([\w.-]+)%"/g)].map(
      ([, key]) => key,
    );
    assert.deepEqual([...new Set(used)].sort(), Object.keys(english).sort());
    assert.deepEqual(Object.keys(german).sort(), Object.keys(english).sort());
    const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      contributes: Readonly<Record<string, unknown>>;
    };
    const bare: string[] = [];
    // in an array each text is of the kind that its name says, such as enumDescriptions
    const visit = (value: unknown, kinds: RegExp, key = ''): void => {
      if (typeof value === 'string') {
        if (kinds.test(key) && !value.startsWith('%')) bare.push(`${key}: ${value}`);
      } else if (Array.isArray(value)) for (const one of value) visit(one, kinds, key);
      else if (typeof value === 'object' && value !== null)
        for (const [name, inner] of Object.entries(value)) visit(inner, kinds, name);
    };
    const { languageModelTools, ...rest } = contributes;
    visit(
      rest,
      /^(title|shortTitle|category|name|displayName|label|contents|altText)$|(description|message|label)s?$/i,
    );
    // what else they say is for models, which read English
    visit(languageModelTools, /^(displayName|userDescription)$/);
    assert.deepEqual(bare, []);
  });
});
