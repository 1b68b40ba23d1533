import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../harness/paths.ts';
import { faultsOf } from '../../harness/release.ts';

describe('release', () => {
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

  it('is accepted if its version, changelog and links are right', () => {
    assert.deepEqual(faultsOf(manifest, changelog, '[docs](docs/engine.md) [web](https://x.example)', 'v1.2.3'), []);
  });

  it('has the version of its tag, nothing unreleased, and all files that its page names', () => {
    assert.match(faultsOf(manifest, changelog, '', 'v1.2.4').join(), /tag is v1\.2\.4/);
    assert.match(faultsOf(manifest, '## 1.2\n', '', 'v1.2.3').join(), /no part “1\.2\.3”/);
    assert.match(faultsOf(manifest, `## Unreleased\n\n- More.\n\n${changelog}`, '', 'v1.2.3').join(), /unreleased/);
    assert.match(
      faultsOf(manifest, `## Unreleased\n\n### Added\n\n- More.\n\n${changelog}`, '', 'v1.2.3').join(),
      /unreleased/,
    );
    assert.deepEqual(faultsOf(manifest, `## Unreleased\n\n${changelog}\n- Line.\n`, '', 'v1.2.3'), []);
    assert.match(faultsOf({ ...manifest, publisher: '' }, changelog, '', 'v1.2.3').join(), /no publisher/);
    assert.match(faultsOf(manifest, changelog, '![x](media/none.png)', 'v1.2.3').join(), /no media\/none\.png/);
  });

  it('prints its usage and unknown arguments in a line', function () {
    this.timeout(60_000);
    const run = (argument: string) =>
      spawnSync(process.execPath, ['test/harness/release.ts', argument], { cwd: root, encoding: 'utf8' });
    const help = run('--help');
    assert.equal(help.status, 0, help.stdout + help.stderr);
    assert.match(help.stdout, /^npm run release -- --tag /);
    const wrong = run('--tags');
    assert.equal(wrong.status, 1);
    assert.match(wrong.stdout, /^Unknown option '--tags'/);
    assert.doesNotMatch(wrong.stdout, /^ +at /m);
  });
});

describe('scripts of package.json', () => {
  it('are documented', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
    const documents = ['CONTRIBUTING.md', ...readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`)];
    const text = [...documents, 'README.md', 'deploy/README.md']
      .map((name) => readFileSync(path.join(root, name), 'utf8'))
      .join('\n');
    const isTold = (name: string) => new RegExp(`(\`|npm |run |--silent )${name}(?![\\w:-])`).test(text);
    const missing = Object.keys(scripts).filter((name) => !isTold(name));
    assert.deepEqual(missing, []);
  });
});
