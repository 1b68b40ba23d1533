import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Calls that open a dialog or an input; of those that make one, the title is set on what they give. */
const OPENING = /^(?:showOpenDialog|showSaveDialog|showQuickPick|showInputBox|showWorkspaceFolderPick)$/;
const MAKING = /^(?:createQuickPick|createInputBox)$/;

/** The dialogs and inputs that a source opens, each with whether it gets a title. */
function dialogsOf(name: string): { readonly place: string; readonly isTitled: boolean }[] {
  const text = readFileSync(path.join(root, name), 'utf8');
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: { place: string; isTitled: boolean }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const called = node.expression.name.text;
      const place = `${name}: ${called}`;
      if (OPENING.test(called)) {
        const options = node.arguments.find((argument) => ts.isObjectLiteralExpression(argument));
        const isTitled = options?.properties.some((one) => one.name?.getText() === 'title') ?? false;
        found.push({ place, isTitled });
      }
      if (MAKING.test(called)) found.push({ place, isTitled: /\binput\.title = /.test(text) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('dialogs and inputs', () => {
  it('have a title that names their purpose', () => {
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const all = names.flatMap(dialogsOf);
    assert.ok(all.length >= 4, 'they are found');
    assert.deepEqual(
      all.filter(({ isTitled }) => !isTitled).map(({ place }) => place),
      [],
    );
  });
});
