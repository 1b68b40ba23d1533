import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../src/client/client.ts';
import { ServiceError } from '../../../../src/client/errors.ts';
import type { LocalPrediction } from '../../../../src/contract/resources.ts';
import { forecastAnew } from '../../../../src/editor/many-series/page.ts';
import { Extension } from '../extension.ts';

describe('forecasting selected series again', () => {
  const extension = new Extension();
  const chosen = Array.from({ length: 20 }, (_, i) => ({
    id: `before-${i}`,
    status: 'COMPLETED',
    name: `Series ${i}`,
    prediction_length: 3,
    input_series: [1, 2, 3, 4, 5].map((value) => ({ timestamp: `2024-01-0${value}`, value })),
  })) as unknown as LocalPrediction[];

  /** Forecasts them with a service that answers the requests by their number, from 0. */
  async function again(answer: (index: number) => void) {
    const { app, person } = extension;
    const session = app.connection.inUse;
    const { client: whole } = session;
    let sent = 0;
    const client = {
      capabilities: () => whole.capabilities(),
      list: whole.list.bind(whole),
      describedModels: whole.describedModels.bind(whole),
      createPrediction: async () => {
        const index = sent++;
        await new Promise((resolve) => setImmediate(resolve));
        answer(index);
        return { id: `after-${index}`, status: 'COMPLETED' };
      },
    } as unknown as ServiceClient;
    person.accepts();
    const made = await forecastAnew(app, { ...session, client }, { label: 'stores.csv' }, chosen);
    return { made, sent: () => sent };
  }

  it('keeps and reports the results before a failure, and sends nothing more', async () => {
    const { made, sent } = await again((index) => {
      if (index === 6) throw new ServiceError('unavailable', 'The service is away.');
    });
    assert.ok(made.size >= 6 && made.size < 10, String(made.size));
    assert.ok(sent() <= 10, String(sent()));
    assert.match(extension.person.texts.join('\n'), /of 20 series of stores\.csv were forecast; these forecasts are kept\. The others were not: The service is away\./); // prettier-ignore
  });

  it('skips a series that the service refuses', async () => {
    const { made } = await again((index) => {
      if (index === 2) throw new ServiceError('refused', 'Too short.');
    });
    assert.equal(made.size, 19);
    assert.match(extension.person.texts.join('\n'), /19 of 20 series of stores\.csv .* Too short\./);
  });

  it('fails if no forecast was made', async () => {
    const all = again(() => {
      throw new ServiceError('refused', 'Too short.');
    });
    await assert.rejects(all, /Too short/);
  });
});
