import assert from 'node:assert/strict';
import { baseUrl, command, flag, list, text, whole } from '../../../src/cli/program.ts';
import { printed } from './in-process.ts';

/** The options of a command as they are read, from arguments and the environment. */
async function read(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    let options: unknown;
    await made((given) => {
      options = given;
    }).parseAsync(args, { from: 'user' });
    return options;
  } finally {
    for (const name of Object.keys(env)) if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
  }
}
const OPTIONS = {
  keepDays: whole('days', [0, 99], 7),
  trustProxy: flag('a flag'),
  folder: text('<name>', 'a text'),
  allowHost: list('<name>', 'names'),
};
const made = (take: (options: unknown) => void = () => undefined) =>
  command('try', 'Tries options.', OPTIONS, (options) => Promise.resolve(take(options)));

describe('program options', () => {
  it('come from arguments, then the environment, then documented defaults', async () => {
    assert.deepEqual(await read([]), { keepDays: 7, allowHost: [] });
    assert.deepEqual(await read([], { FORECASTS_KEEP_DAYS: '3' }), { keepDays: 3, allowHost: [] });
    assert.deepEqual(await read(['--keep-days', '5'], { FORECASTS_KEEP_DAYS: '3' }), { keepDays: 5, allowHost: [] });
  });

  it('have flags that a variable can turn off', async () => {
    const isOn = async (value: string) =>
      ((await read([], { FORECASTS_TRUST_PROXY: value })) as { trustProxy?: boolean }).trustProxy ?? false;
    for (const no of ['', '0', 'false', 'No']) assert.equal(await isOn(no), false, JSON.stringify(no));
    for (const yes of ['1', 'true', 'yes']) assert.equal(await isOn(yes), true, yes);
  });

  it('are lists if repeated or separated by commas', async () => {
    const hosts = async (args: readonly string[], env = {}) =>
      ((await read(args, env)) as { allowHost: string[] }).allowHost;
    assert.deepEqual(await hosts(['--allow-host', 'a', '--allow-host', 'b']), ['a', 'b']);
    assert.deepEqual(await hosts([], { FORECASTS_ALLOW_HOST: 'a, b,,c' }), ['a', 'b', 'c']);
  });

  it('accept integers only in plain notation', async () => {
    for (const wrong of ['-1', '1.5', '1e3', '0x10', '', ' 5', '100', '9999999999', '٣']) {
      const { code, errors } = await printed(made, ['--keep-days', wrong]);
      assert.ok(
        code !== 0 && errors.includes('Expected a whole number from 0 to 99.'),
        JSON.stringify([wrong, errors]),
      );
    }
  });

  it('are refused if the next option stands in place of a value', async () => {
    for (const name of ['--folder', '--allow-host', '--keep-days'])
      assert.notEqual((await printed(made, [name, '--trust-proxy'])).code, 0, name);
  });

  it('are refused without the password of an address', async () => {
    const address = () => command('try', 'Tries one.', { url: { value: '<url>', about: 'a URL', parse: baseUrl } }, () => Promise.resolve()); // prettier-ignore
    for (const text of ["https://me:geh'eim@host", 'https://me:geh/eim@host']) {
      const { code, errors } = await printed(address, ['--url', text]);
      assert.deepEqual([code === 0, errors.includes('eim'), errors.includes('//host')], [false, false, true], errors);
    }
  });

  it('are refused if empty, except flags and lists of the environment', async () => {
    for (const name of ['--folder', '--allow-host', '--keep-days'])
      for (const empty of ['', ' ']) {
        const { code, errors } = await printed(made, [name, empty]);
        assert.ok(code !== 0 && errors.includes(`'${name} <`) && /is invalid\. /.test(errors), errors);
      }
    assert.match((await printed(made, ['--folder', ''])).errors, /It must not be empty\./);
    assert.match(
      (await printed(made, [], { FORECASTS_FOLDER: '' })).errors,
      /env 'FORECASTS_FOLDER' is invalid\. It must not be empty/,
    );
    assert.match(
      (await printed(made, ['--allow-host', ' , '])).errors,
      /It must not be empty\./,
      'as of two variables unset',
    );
    assert.deepEqual(await read([], { FORECASTS_ALLOW_HOST: '', FORECASTS_TRUST_PROXY: '' }), {
      keepDays: 7,
      allowHost: [],
    });
    assert.deepEqual(await read(['--folder', 'a b']), { keepDays: 7, allowHost: [], folder: 'a b' });
  });

  it('are listed with their variables in the help', async () => {
    const { out } = await printed(made, ['--help']);
    for (const word of ['--keep-days <n>', 'FORECASTS_KEEP_DAYS', 'FORECASTS_ALLOW_HOST', 'may be repeated'])
      assert.ok(out.includes(word), word);
  });
});
