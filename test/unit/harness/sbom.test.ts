import assert from 'node:assert/strict';
import { missingIn, ofPackage } from '../../harness/sbom.ts';

describe('the bill of materials', () => {
  const development = [{ name: 'cdx:npm:package:development', value: 'true' }];
  const all = {
    bomFormat: 'CycloneDX',
    components: [
      { 'bom-ref': 'hono@4.1.0', name: 'hono', version: '4.1.0', properties: [] },
      { 'bom-ref': 'mocha@12.0.0', name: 'mocha', version: '12.0.0', properties: development },
    ],
    dependencies: [
      { ref: 'ours@1', dependsOn: ['hono@4.1.0', 'mocha@12.0.0'] },
      { ref: 'hono@4.1.0', dependsOn: [] },
      { ref: 'mocha@12.0.0', dependsOn: ['hono@4.1.0'] },
    ],
  };

  it('has what the package needs, also where a tool needs it too', () => {
    assert.deepEqual(ofPackage(all, 'ours@1'), {
      bomFormat: 'CycloneDX',
      components: [all.components[0]],
      dependencies: [
        { ref: 'ours@1', dependsOn: ['hono@4.1.0'] },
        { ref: 'hono@4.1.0', dependsOn: [] },
      ],
    });
  });

  it('is held against what is bundled', () => {
    const notices = ['hono 4.1.0\n\nMIT\n-----------\n', 'zod 4.6.7\n\nMIT\n'].join('\n----------\n\n');
    assert.deepEqual(missingIn(all, notices), ['zod 4.6.7']);
  });
});
