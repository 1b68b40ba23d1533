import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { TOOLS } from '../../../src/agents/stored.ts';
import { errorOfAnswer } from '../../../src/client/errors.ts';
import { envelopeOf, parse, readItems } from '../../../src/client/page.ts';
import { failureOf, isKnown, readAs } from '../../../src/contract/failures.ts';
import { type Operation, operations } from '../../../src/contract/operations.ts';
import { RequestError } from '../../../src/service/errors.ts';
import { readBody } from '../../../src/service/tasks/bodies.ts';

type Schema = z.core.$ZodType;
type Around = (value: unknown) => unknown;

/** Every place in a schema, as what puts a value there. */
function* placesIn(schema: Schema, around: Around = (value) => value): Generator<Around> {
  yield around;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object' || def.type === 'record') yield (key) => around({ [String(key)]: 1 });
  if (def.type === 'object') {
    for (const [key, inner] of Object.entries(def.shape)) yield* placesIn(inner, (value) => around({ [key]: value }));
  } else if (def.type === 'record') yield* placesIn(def.valueType, (value) => around({ key: value }));
  else if (def.type === 'array') yield* placesIn(def.element, (value) => around([value]));
  else if (def.type === 'union') for (const option of def.options) yield* placesIn(option, around);
  else if (def.type === 'pipe') yield* placesIn(def.in, around);
  else if ('innerType' in def) yield* placesIn(def.innerType, around);
}

/** One of each kind, and the ends of what each may be. */
const VALUES = [undefined, null, '', 'x', ' ', 'x'.repeat(5_000), -1, 0, 0.5, 1, 1e15, true, [], Array(200).fill('x'), {}]; // prettier-ignore

const faultsOf = (schema: Schema, given: unknown) => readAs(schema, given).error?.issues ?? [];

describe('data errors', () => {
  afterEach(() => {
    l10n.config({ contents: {} });
  });

  const named: [string, Schema][] = [
    ...Object.entries(operations as Readonly<Record<string, Operation>>).flatMap(([name, operation]) =>
      ([operation.body, operation.bodyLines, operation.item, operation.answer] as const).flatMap((schema) =>
        schema ? [[name, schema] as [string, Schema]] : [],
      ),
    ),
    ...TOOLS.map(({ name, input }) => [name, input] as [string, Schema]),
  ];

  it('have a code and a message at any place', () => {
    const left = new Set<string>();
    const met = new Set<string>();
    for (const [name, schema] of named) {
      for (const around of placesIn(schema)) {
        for (const value of VALUES) {
          for (const issue of faultsOf(schema, around(value))) {
            const { path, message } = issue;
            if (met.has(message)) continue;
            assert.ok(message.length < 400, message.slice(0, 100));
            met.add(message);
            const { code, detail } = failureOf(issue);
            if (!isKnown(code) || code === 'invalid' || detail !== message) {
              left.add(`${name} ${path.join('.')}: ${message.slice(0, 200)} is ${detail.slice(0, 200)}`);
            }
          }
        }
      }
    }
    assert.ok(met.size > 20, [...met].join('\n'));
    assert.deepEqual([...left], [], 'say these in contract/failures.ts');
  });

  it('name the wrong value of the right type if there are several errors', () => {
    const point = (value: unknown) => ({ series: [{ timestamp: '2024-01-01', value }] });
    const [{ message, path }] = faultsOf(operations.createPrediction.body, point('many'));
    assert.deepEqual([path, message], [['series', 0, 'value'], 'This text is not a number.']);
    const [other] = faultsOf(operations.createPrediction.body, point([1]));
    assert.equal(other.message, 'Expected a value of a different type.');
  });

  it('are in German in a German display language, for requests and responses', () => {
    l10n.config({ fsPath: fileURLToPath(new URL('../../../l10n/bundle.l10n.de.json', import.meta.url)) });
    const send = (body: object) => {
      try {
        readBody('createPrediction', [Buffer.from(JSON.stringify(body))]);
      } catch (error) {
        if (error instanceof RequestError)
          return errorOfAnswer({ status: 422, body: error.problem, name: 'Ours' }).message;
        throw error;
      }
      return undefined;
    };
    assert.match(send({ prediction_length: 10_001 }) ?? '', /prediction_length: Erwartet wird 10000 oder weniger\./);
    assert.match(send({ series: [] }) ?? '', /series: Das ist leer\./);
    assert.match(send({ series: [{ value: 1 }] }) ?? '', /series\.0\.timestamp: Das ist erforderlich\./);
    assert.match(send({ bounds: { ceiling: 5 } }) ?? '', /bounds: Unbekannte Felder: ceiling\./);
    const { item } = operations.listPredictions;
    assert.throws(
      () => parse(item, { status: 'QUEUED' }, 'GET /items'),
      /\(id: Erwartet wird ein Wert eines anderen Typs\)\./,
    );
    assert.deepEqual(readItems(item, envelopeOf([{ id: 'a' }])).unreadable, ['status: Das ist erforderlich']);
  });
});
