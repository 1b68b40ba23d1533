import type { Capabilities } from '../../client/capabilities.ts';
import type { ServiceClient } from '../../client/client.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { OperationName } from '../../contract/operations.ts';
import { setting } from '../connection/settings.ts';
import { anomaliesView } from '../views/chart/anomalies.ts';
import { backtestView } from '../views/chart/backtest.ts';
import { decompositionView } from '../views/chart/decomposition.ts';
import type { Analyses, AnomaliesView, Analysis } from '../views/chart/protocol.ts';
import { frequencyOf } from '../views/chart/state.ts';

interface Asked {
  readonly client: ServiceClient;
  readonly prediction: LocalPrediction;
  /** One in so many is an anomaly by chance; absent: as the settings say. */
  readonly rarity?: number | undefined;
  readonly ways: Pick<AnomaliesView, 'canMark' | 'canLeaveOut'>;
  readonly signal: AbortSignal;
}

/** Default rarity of an anomaly: one in this many by chance. */
const USUAL_RARITY = 1000;

/** An analysis: the operation that a service needs for it, and how it is asked for and shown. */
interface Way<A extends Analysis> {
  readonly needs: OperationName;
  readonly ask: (asked: Asked) => Promise<Analyses[A]>;
}

const ways: { readonly [A in Analysis]: Way<A> } = {
  backtest: {
    needs: 'getBacktest',
    ask: async ({ client, prediction, signal }) =>
      backtestView(
        await client.do('getBacktest', { id: prediction.id, signal }),
        frequencyOf(prediction),
        prediction.details?.seasonal_periods?.[0],
      ),
  },
  decomposition: {
    needs: 'getDecomposition',
    ask: async ({ client, prediction, signal }) =>
      decompositionView(await client.do('getDecomposition', { id: prediction.id, signal }), frequencyOf(prediction)),
  },
  anomalies: {
    needs: 'findAnomalies',
    ask: async ({ client, prediction, rarity, ways: can, signal }) => {
      const wanted = rarity ?? (setting('markAnomalies') || USUAL_RARITY);
      const found = await client.do('findAnomalies', {
        body: { series: prediction.input_series ?? [], rarity: wanted },
        signal,
      });
      return anomaliesView(found, prediction, can);
    },
  },
};

/** Those that a service has. */
export const analysesOf = (offers: Capabilities): readonly Analysis[] =>
  (Object.keys(ways) as Analysis[]).filter((analysis) => offers.has(ways[analysis].needs));

/** @throws ServiceError */
export const analyze = <A extends Analysis>(analysis: A, asked: Asked): Promise<Analyses[A]> =>
  ways[analysis].ask(asked);
