import assert from 'node:assert/strict';
import { chartLink } from '../../../../src/editor/agents/tools.ts';
import { SeenChart } from '../chart-page.ts';
import { Extension } from '../extension.ts';

describe('link of an agent’s answer', () => {
  const extension = new Extension();

  const made = async () => {
    const client = extension.app.connection.inUse.client;
    const series = Array.from({ length: 24 }, (_, day) => ({
      timestamp: new Date(Date.UTC(2024, 0, 1 + day)).toISOString(),
      value: day,
    }));
    return client.createPrediction({ series, prediction_length: 3, name: 'visits.csv', requested_by: 'agent' });
  };

  it('opens the chart of its prediction once', async () => {
    const { id } = await made();
    const { window, app } = extension;
    const link = chartLink(app.connection.current.id, id);
    window.follow(link);
    window.follow(link);
    const panel = window.panels.at(-1)!;
    assert.equal(window.panels.length, 1);
    const { shown } = await new SeenChart(panel).comes((state) => state.shown !== null);
    assert.equal(shown?.chart.title, 'visits.csv');
  });

  it('opens no prediction of an unknown service, and nothing else', async () => {
    const { id } = await made();
    const { window, app } = extension;
    const before = window.panels.length;
    const known = chartLink(app.connection.current.id, id);
    for (const link of [
      chartLink('https://elsewhere.example', id),
      known.replace('/prediction', '/elsewhere'),
      known.replace(/&id=.*/, ''),
      known.replace(/\?.*/, ''),
    ])
      window.follow(link);
    assert.equal(window.panels.length, before);
  });
});
