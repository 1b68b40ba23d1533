import assert from 'node:assert/strict';
import { missingIn, ofPackage } from '../../harness/sbom.ts';

describe('bill of materials', () => {
  const all = {
    bomFormat: 'CycloneDX',
    metadata: { component: { 'bom-ref': 'ours@1', name: 'a-folder', description: '%description%' } },
    components: [
      { 'bom-ref': 'hono@4.1.0', name: 'hono', version: '4.1.0' },
      { 'bom-ref': 'cookie@1.0.0', name: 'cookie', version: '1.0.0' },
      { 'bom-ref': 'sdk|cookie@0.7.0', name: 'cookie', version: '0.7.0' },
      { 'bom-ref': 'pg@8.23.0', name: 'pg', version: '8.23.0' },
      { 'bom-ref': 'mocha@12.0.0', name: 'mocha', version: '12.0.0' },
    ],
    dependencies: [
      { ref: 'ours@1', dependsOn: ['hono@4.1.0', 'pg@8.23.0', 'mocha@12.0.0'] },
      { ref: 'hono@4.1.0', dependsOn: ['sdk|cookie@0.7.0'] },
      { ref: 'pg@8.23.0', dependsOn: ['cookie@1.0.0'] },
      { ref: 'mocha@12.0.0', dependsOn: ['hono@4.1.0'] },
    ],
  };

  it('names bundled libraries only, without those of the team service and of development', () => {
    const notices = ['cookie 0.7.0\n\nMIT\n', 'hono 4.1.0\n\nMIT\n'].join('\n----------\n\n');
    assert.deepEqual(ofPackage(all, 'ours', notices), {
      bomFormat: 'CycloneDX',
      metadata: { component: { 'bom-ref': 'ours@1', name: 'ours', description: undefined } },
      components: [all.components[0], all.components[2]],
      dependencies: [
        { ref: 'ours@1', dependsOn: ['hono@4.1.0'] },
        { ref: 'hono@4.1.0', dependsOn: ['sdk|cookie@0.7.0'] },
      ],
    });
  });

  it('matches the bundles', () => {
    const notices = ['hono 4.1.0\n\nMIT\n-----------\n', 'zod 4.6.7\n\nMIT\n'].join('\n----------\n\n');
    assert.deepEqual(missingIn(all, notices), ['zod 4.6.7']);
  });
});
