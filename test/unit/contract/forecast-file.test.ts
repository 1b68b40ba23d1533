import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { forecastFileSchema } from '../../../src/contract/forecast-file.ts';

describe('schema of forecast files', () => {
  const schema = forecastFileSchema();
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const series = [
    { timestamp: '2024-01-01T00:00:00Z', value: 1 },
    { timestamp: '2024-02-01T00:00:00Z', value: null },
  ];

  it('accepts a request alone, and one with its prediction', () => {
    assert.ok(isValid({ name: 'sales', request: { series } }), JSON.stringify(isValid.errors));
    const prediction = { created_at: '2024-03-01T00:00:00Z', prediction_series: series, details: { points: 2 } };
    const request = { ai_model_id: 'theta', prediction_length: 2, quantile_levels: [0.1, 0.9], series };
    assert.ok(isValid({ name: 'sales', value_name: 'Sales', request, prediction }), JSON.stringify(isValid.errors));
  });

  it('reports missing and misspelled fields', () => {
    for (const wrong of [
      { name: 'sales' },
      { request: { series } },
      { name: 'sales', request: { series: [] } },
      { name: 'sales', request: { series, predicton_length: 3 } },
      { name: 'sales', request: { series, quantile_levels: [1.5] } },
      { name: 'sales', request: { series: [{ value: 3 }] } },
    ])
      assert.equal(isValid(wrong), false, JSON.stringify(wrong));
  });

  it('describes each field for completions', () => {
    const { properties } = schema as { properties: Record<string, { properties?: Record<string, object> }> };
    const fields = Object.entries(properties['request'].properties ?? {});
    assert.deepEqual(fields.filter(([, field]) => !JSON.stringify(field).includes('"description"')), []); // prettier-ignore
  });
});
