import assert from 'node:assert/strict';
import type { WebWorkbench } from './workbench.ts';

export function folderTests(vscode: () => WebWorkbench): void {
  describe('Workbench without a machine', () => {
    it('has one extension host, a web worker with its own origin', () => {
      assert.match(vscode().extensionHost().url(), /^http:\/\/v--\w+\.localhost:/);
    });

    it('edits files of a virtual file system', async () => {
      vscode().writeFile('notes.txt', 'one');
      await vscode().openFile('notes.txt');
      const editor = vscode().page.locator('.monaco-editor .view-lines').first();
      await editor.getByText('one').waitFor();
      vscode().writeFile('notes.txt', 'two');
      await editor.getByText('two').click();
      await vscode().page.keyboard.press('End');
      await vscode().page.keyboard.type(' three');
      await vscode().page.keyboard.press('ControlOrMeta+s');
      await vscode().until(
        () => vscode().readFile('notes.txt'),
        (text) => text === 'two three',
      );
    });
  });
}
