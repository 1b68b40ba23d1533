import assert from 'node:assert/strict';
import { Programs } from '../../../../src/platform/browser/programs.ts';

describe('programs in a browser', () => {
  const encoder = new TextEncoder();

  it('are loaded again after a failure', async () => {
    let isOnline = false;
    const asked: string[] = [];
    const read = (file: string) => {
      asked.push(file);
      return isOnline ? Promise.resolve(encoder.encode('export const a = 1;')) : Promise.reject(new Error('offline'));
    };
    const programs = new Programs(read, []);
    await assert.rejects(programs.address('./parquet.mjs'), /offline/);
    isOnline = true;
    assert.match(await programs.address('./parquet.mjs'), /^blob:/);
    await programs.address('./parquet.mjs');
    assert.deepEqual(asked, ['./parquet.mjs', './parquet.mjs']);
  });

  it('are loaded again after a failed prefetch', async () => {
    let isOnline = false;
    const read = (file: string) =>
      isOnline
        ? Promise.resolve(encoder.encode(file === './main.mjs' ? 'import"./a.mjs"' : ''))
        : Promise.reject(new Error('offline'));
    const programs = new Programs(read, [], { './main.mjs': ['./a.mjs'] });
    await assert.rejects(programs.address('./main.mjs'), /offline/);
    isOnline = true;
    assert.match(await programs.address('./main.mjs'), /^blob:/);
  });

  it('are linked with their imports and the ports of browsers', async () => {
    const files: Record<string, string> = {
      './main.mjs':
        'import{a}from"./chunk.mjs";import{b}from"./platform/turn.mjs";export const late=()=>import("./late.mjs");',
      './chunk.mjs': 'export const a=1;',
      './web/platform/turn.mjs': 'export const b=2;',
    };
    const asked: string[] = [];
    const read = (file: string) => {
      asked.push(file);
      return Promise.resolve(encoder.encode(files[file]));
    };
    await new Programs(read, []).address('./main.mjs');
    assert.deepEqual(asked.toSorted(), ['./chunk.mjs', './main.mjs', './web/platform/turn.mjs']);
  });

  it('are loaded with all imported modules at once, each once', async () => {
    const asked: string[] = [];
    const { promise: isOnline, resolve } = Promise.withResolvers<undefined>();
    const read = async (file: string) => {
      asked.push(file);
      await isOnline;
      return encoder.encode(file === './main.mjs' ? 'import"./a.mjs"' : file === './a.mjs' ? 'import"./b.mjs"' : '');
    };
    const programs = new Programs(read, [], { './main.mjs': ['./a.mjs', './b.mjs'] });
    const address = programs.address('./main.mjs');
    assert.deepEqual(asked.toSorted(), ['./a.mjs', './b.mjs', './main.mjs']);
    resolve(undefined);
    await address;
    assert.equal(asked.length, 3);
  });
});
