import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

describe('package', () => {
  it('has all programs that the extension starts or shows', () => {
    const kept = readFileSync('.vscodeignore', 'utf8').split('\n');
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
    const asked = sources.flatMap((name) => {
      const text = readFileSync(path.join('src', name), 'utf8');
      return [...text.matchAll(/'dist', '([\w.-]+)'/g)].map(([, file]) => file);
    });
    assert.ok(asked.includes('mcp.mjs'));
    for (const file of asked) {
      const isKept = kept.includes(`!dist/${file}`) || kept.includes(`!dist/*${path.extname(file)}`);
      assert.ok(isKept, `dist/${file} is not packaged`);
    }
  });
});
