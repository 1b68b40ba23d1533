import assert from 'node:assert/strict';
import { Extension } from '../../extension.ts';
import { until } from '../../until.ts';

const rows = Array.from(
  { length: 30 },
  (_, month) => `${2022 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01,${month}`,
);

describe('what is asked for on the page of a chart', () => {
  const extension = new Extension();

  it('is told where it fails', async () => {
    const { person, window } = extension;
    await extension.run('forecast', extension.file('sales.csv', `month,sales\n${rows.join('\n')}\n`));
    const [panel] = window.panels;
    panel.says({ type: 'ready' });
    const { clipboard } = window.env;
    const { writeText } = clipboard;
    clipboard.writeText = () => Promise.reject(new Error('The clipboard is gone.'));
    try {
      panel.says({ type: 'export', kind: 'copy' });
      await until(() => person.texts.length, Boolean);
    } finally {
      clipboard.writeText = writeText;
    }
    assert.match(person.texts.join('\n'), /did not work/);
    assert.match(window.log.join('\n'), /The clipboard is gone/);
  });
});
