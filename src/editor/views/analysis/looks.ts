import { type Frequency } from '../../../calendar/frequency.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Session } from '../../connection/connection.ts';
import { setting } from '../../connection/settings.ts';
import { backtestView } from './backtest-view.ts';
import { oddPointsView } from './odd-points-view.ts';
import { partsView } from './parts-view.ts';
import type { Look, OddView, Seen, WorkHostMessage } from './protocol.ts';

/** What looks into a forecast need around them. */
export interface LooksHost {
  readonly session: () => Session;
  readonly isInUse: () => boolean;
  readonly frequency: () => Frequency | undefined;
  readonly post: (message: WorkHostMessage) => void;
  readonly canMark: () => boolean;
  readonly leaveOut: (prediction: LocalPrediction, times: ReadonlySet<number>) => Promise<void>;
  readonly mark: (points: readonly OddView[]) => Promise<void>;
}

/** One in so many is odd by chance, where nobody says how rare. */
const USUAL_RARITY = 1000;
/** In longer series odd points are looked for when that is asked: it takes more than a moment. */
const QUICK = 20_000;

/** What a service can tell of a forecast besides itself, asked for when a tab is seen. */
export class Looks {
  readonly #host: LooksHost;
  readonly #asking = new Map<Look, AbortController>();
  /** The prediction whose odd points were marked unasked. */
  #marked: string | undefined;
  #odd: { readonly predictionId: string; readonly points: readonly OddView[] } | undefined;

  constructor(host: LooksHost) {
    this.#host = host;
  }

  async show(prediction: LocalPrediction, look: Look, rarity?: number): Promise<void> {
    this.#asking.get(look)?.abort();
    const abort = new AbortController();
    this.#asking.set(look, abort);
    const post = (seen: Seen) => {
      if (!abort.signal.aborted) this.#host.post({ type: 'seen', predictionId: prediction.id, seen });
    };
    try {
      post(await this.#look(prediction, look, abort.signal, rarity));
    } catch (error) {
      post({ look, problem: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Marks what is odd before anybody asks, once the forecast is shown, where that is a matter of a moment. */
  async mark(prediction: LocalPrediction): Promise<void> {
    const length = prediction.input_series?.length ?? 0;
    const isQuick = this.#host.session().info.kind === 'local' && length > 0 && length <= QUICK;
    if (!isQuick || setting('markOddPoints') === 0 || this.#marked === prediction.id) return;
    this.#marked = prediction.id;
    await this.show(prediction, 'odd');
  }

  async act(prediction: LocalPrediction, what: 'leave-out' | 'mark'): Promise<void> {
    if (this.#odd?.predictionId !== prediction.id) return;
    const { points } = this.#odd;
    if (what === 'mark') await this.#host.mark(points);
    else await this.#host.leaveOut(prediction, new Set(points.map(({ time }) => time)));
  }

  dispose(): void {
    for (const abort of this.#asking.values()) abort.abort();
  }

  async #look(prediction: LocalPrediction, look: Look, signal: AbortSignal, wanted?: number): Promise<Seen> {
    const { client } = this.#host.session();
    const frequency = this.#host.frequency();
    const period = prediction.details?.seasonal_periods?.[0];
    switch (look) {
      case 'backtest': {
        const backtest = await client.getBacktest(prediction.id, {}, signal);
        return { look, view: backtestView(backtest, frequency, period) };
      }
      case 'parts':
        return { look, view: partsView(await client.getParts(prediction.id, signal), frequency) };
      case 'odd': {
        const rarity = wanted ?? (setting('markOddPoints') || USUAL_RARITY);
        const found = await client.findOddPoints({ series: prediction.input_series ?? [], rarity }, signal);
        const view = oddPointsView(found, prediction, {
          canMark: this.#host.canMark(),
          canLeaveOut: this.#host.isInUse(),
        });
        this.#odd = { predictionId: prediction.id, points: view.points };
        return { look, view };
      }
    }
  }
}
