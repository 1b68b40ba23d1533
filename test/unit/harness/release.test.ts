import assert from 'node:assert/strict';
import { faultsOf } from '../../harness/release.ts';

describe('a release', () => {
  const manifest = {
    name: 'x',
    version: '1.2.3',
    publisher: 'p',
    displayName: 'X',
    description: 'Does x.',
    icon: 'media/icon.png',
    license: 'MIT',
    categories: ['Other'],
  };
  const changelog = '# Changelog\n\n## 1.2.3\n\n- All.\n';

  it('is whole', () => {
    assert.deepEqual(faultsOf(manifest, changelog, '[docs](docs/engine.md) [web](https://x.example)', 'v1.2.3'), []);
  });

  it('has the version of its tag, nothing unreleased, and all that its page names', () => {
    assert.match(faultsOf(manifest, changelog, '', 'v1.2.4').join(), /tag is v1\.2\.4/);
    assert.match(faultsOf(manifest, '## 1.2\n', '', 'v1.2.3').join(), /no part “1\.2\.3”/);
    assert.match(faultsOf(manifest, `## Unreleased\n\n- More.\n\n${changelog}`, '', 'v1.2.3').join(), /unreleased/);
    assert.match(faultsOf({ ...manifest, publisher: '' }, changelog, '', 'v1.2.3').join(), /no publisher/);
    assert.match(faultsOf(manifest, changelog, '![x](media/none.png)', 'v1.2.3').join(), /no media\/none\.png/);
  });
});
