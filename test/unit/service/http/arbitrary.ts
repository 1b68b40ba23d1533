import fc from 'fast-check';

/** The part of JSON Schema that the description uses. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

const TIMES = { min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };

/**
 * Values that a schema describes, with the odd ones among them. What it says beyond single fields (`oneOf`, `if`) is not
 * looked at: some of them it refuses.
 */
export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf && !schema.type) return fc.oneof(...schema.anyOf.map(arbitraryOf));
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, arbitraryOf(one)]);
      return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: [...(schema.required ?? [])].filter((name) => name in (schema.properties ?? {})),
      });
    }
    case 'array': {
      const { minItems = 0, maxItems = 6 } = schema;
      return fc.array(arbitraryOf(schema.items ?? {}), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 5),
      });
    }
    case 'string':
      if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
      if (schema.format === 'date-time') return fc.date(TIMES).map((date) => date.toISOString());
      return fc.string({ unit: 'grapheme', maxLength: Math.min(schema.maxLength ?? 20, 20) });
    case 'integer':
      // short horizons, as long ones would only take time
      return fc.integer({
        min: schema.minimum ?? -1000,
        max: Math.min(schema.maximum ?? 1000, (schema.minimum ?? 0) + 120),
      });
    case 'number':
      return fc.double({
        min: schema.exclusiveMinimum ?? -1e300,
        max: schema.exclusiveMaximum ?? 1e300,
        minExcluded: schema.exclusiveMinimum !== undefined,
        maxExcluded: schema.exclusiveMaximum !== undefined,
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}
