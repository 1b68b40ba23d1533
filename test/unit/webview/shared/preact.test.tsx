import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { find, usePage } from '../dom.ts';

describe('components', () => {
  usePage();

  it('are rendered again with their state, and keep the focus', async () => {
    const name = signal('Sales');
    const Field = () => (
      <label>
        {name}
        <input value={name.value} />
      </label>
    );
    render(<Field />, find('#app'));
    find('input').focus();
    name.value = 'Returns';
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(find('label').textContent, 'Returns');
    assert.equal(find<HTMLInputElement>('input').value, 'Returns');
    assert.equal(document.activeElement, find('input'));
  });
});
