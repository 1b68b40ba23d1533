import * as l10n from '@vscode/l10n';
import { batch, computed, signal } from '@preact/signals';
import { type Bounds, boundsOf } from '../../chart/bounds.ts';
import { type Decoration, type OverlayLine, PLAIN } from '../../chart/chart-traces.ts';
import { type Frame, frameOf } from '../../chart/frame.ts';
import { svgOf } from '../../chart/picture.ts';
import type { ChartView, Notice } from '../../chart/types.ts';
import type { ActualsView, ChartControls, CompareView, Look, Seen } from '../../editor/views/analysis/protocol.ts';
import {
  type DataExport,
  DEFAULT_VIEW,
  type ImageExport,
  type PanelState,
  type PredictionRef,
  type Status,
  type ViewState,
  type WebviewMessage,
} from '../../editor/views/chart/protocol.ts';
import { createKept, equal, type Typed } from './kept.ts';
import { createPictures } from './pictures.ts';
import { type ViewChange, changed, visible } from './view.ts';

/** What the page needs of the editor around it. */
export interface Host {
  post(message: WebviewMessage): void;
  save(state: PanelState): void;
  restore(): PanelState | undefined;
}

/** A chart, ready for drawing. */
export interface ShownChart {
  readonly ref: PredictionRef;
  readonly chart: ChartView;
  readonly frame: Frame;
  readonly bounds: Bounds;
}

/** Handled by the page itself, which draws the picture. */
const SAVE_PICTURE = 'save-picture';
const NOTHING_TYPED: Typed = { cells: [], name: '' };

/** What a chart's page shows, and what was chosen of it, which outlasts charts of the same prediction and reloads. */
export class ChartState {
  readonly host: Host;
  readonly shown = signal<ShownChart | undefined>(undefined);
  readonly view = signal<ViewState>(DEFAULT_VIEW);
  /** Where a prediction stands that is not there yet. */
  readonly standing = signal<{ readonly title: string; readonly status: Status } | undefined>(undefined);
  readonly told = signal<Notice | undefined>(undefined);
  readonly refusal = signal<Notice | undefined>(undefined);
  readonly offer = signal<ChartControls | undefined>(undefined);
  readonly comparison = signal<CompareView | undefined>(undefined);
  readonly since = signal<ActualsView | undefined>(undefined);
  /** What tabs have asked for, of the prediction that is shown. */
  readonly found = signal<Partial<Record<Look, Seen | 'asked'>>>({});
  /** The scenario that is written down in the table. */
  readonly typed = signal<Typed>(NOTHING_TYPED);
  /** A moment that the chart is to go to. */
  readonly target = signal<{ readonly time: number } | undefined>(undefined);
  readonly looks = signal<readonly Look[]>([]);
  readonly canSuppose = signal(false);
  readonly tab = computed(() => {
    const { tab } = this.view.value;
    return tab === 'table' || this.looks.value.some((look) => look === tab) ? tab : 'chart';
  });
  /** What lies over the chart. */
  readonly decoration = computed((): Decoration => {
    const { odd } = this.found.value;
    const points = odd && odd !== 'asked' && 'view' in odd && odd.look === 'odd' ? odd.view.points : [];
    const since = this.since.value ? [{ label: l10n.t('Actual'), line: this.since.value.line }] : [];
    const times = Float64Array.from(points, ({ time }) => time);
    const values = Float64Array.from(points, ({ value }) => value);
    return {
      lines: [...overlaysOf(this.comparison.value), ...since],
      marks: points.length > 0 ? { times, values } : PLAIN.marks,
    };
  });
  readonly #kept: ReturnType<typeof createKept>;
  readonly #pictures: ReturnType<typeof createPictures>;

  constructor(host: Host) {
    this.host = host;
    this.#kept = createKept(host);
    this.#pictures = createPictures(() => this.#svg(), host.post, (isCopied) => {
      const sentence = l10n.t('This editor did not let the picture be copied.');
      const actions = [{ id: SAVE_PICTURE, label: l10n.t('Save Picture as PNG…') }];
      this.refusal.value = isCopied ? undefined : { sentence, actions };
    }); // prettier-ignore
  }

  show(ref: PredictionRef, chart: ChartView): void {
    const { value: before } = this.shown;
    batch(() => {
      if (before && !equal(before.ref, ref)) {
        // another forecast of the same series is looked at as the one before it, save for the part of time
        const { tab, hiddenBands } = this.view.value;
        this.view.value = { tab, hiddenBands };
        this.since.value = undefined;
        this.found.value = {};
      } else this.view.value = this.#kept.view(ref);
      this.standing.value = this.told.value = this.refusal.value = this.target.value = undefined;
      this.typed.value = this.#kept.supposed(ref);
      const frame = frameOf(chart);
      this.shown.value = { ref, chart, frame, bounds: boundsOf(frame) };
      this.#look();
    });
    this.#kept.save(ref, this.view.value);
  }

  status(ref: PredictionRef, title: string, status: Status): void {
    batch(() => {
      if (!this.shown.value) this.view.value = this.#kept.view(ref);
      this.standing.value = { title, status };
    });
    this.#kept.save(ref, this.view.value);
  }

  controls(offer: ChartControls | undefined): void {
    batch(() => {
      this.offer.value = offer;
      if (!offer) return;
      this.looks.value = offer.looks;
      this.canSuppose.value = offer.canSuppose === true;
      this.#look();
    });
    if (offer) this.#kept.setFormer(offer.former);
    if (this.shown.value) this.#kept.save(this.shown.value.ref, this.view.value);
  }

  seen(predictionId: string, seen: Seen): void {
    if (this.shown.value?.ref.predictionId !== predictionId) return;
    this.found.value = { ...this.found.value, [seen.look]: seen };
  }

  /** Changes what is seen, and keeps it. */
  change(what: ViewChange): void {
    const { value: shown } = this.shown;
    if (!shown) return;
    batch(() => {
      this.view.value = changed(this.view.value, what);
      if (what.do === 'tab') this.#look(true);
    });
    this.host.post({ type: 'state', state: this.#kept.save(shown.ref, this.view.value) });
  }

  /** Keeps a scenario as far as it is written down. */
  type(typed: Typed): void {
    this.typed.value = typed;
    if (this.shown.value) this.#kept.save(this.shown.value.ref, this.view.value, typed);
  }

  /** Forecasts the scenario that is written down. */
  suppose(typed: Typed): void {
    this.host.post({ type: 'suppose', ...typed });
    this.change({ do: 'tab', tab: 'chart' });
  }

  goTo(time: number): void {
    this.change({ do: 'tab', tab: 'chart' });
    this.target.value = { time };
  }

  readonly act = (id: string): void => {
    if (id === SAVE_PICTURE) this.#pictures.save('png');
    else this.host.post({ type: 'action', id });
  };

  save(kind: DataExport | ImageExport): void {
    if (kind === 'png' || kind === 'svg') this.#pictures.save(kind);
    else this.host.post({ type: 'export', kind });
  }

  copyPicture(): void {
    this.#pictures.copy();
  }

  /** Asks for what the tab shows, once, and after a failure when it is chosen again. */
  #look(isChosen = false): void {
    const { value: look } = this.tab;
    if (!this.shown.value || look === 'chart' || look === 'table') return;
    const { [look]: found } = this.found.value;
    const hasFailed = found !== undefined && found !== 'asked' && 'problem' in found;
    if (found !== undefined && !(isChosen && hasFailed)) return;
    this.found.value = { ...this.found.value, [look]: 'asked' };
    this.host.post({ type: 'look', look });
  }

  #svg(): string | undefined {
    const { value: shown } = this.shown;
    if (!shown || shown.frame.times.length === 0) return undefined;
    const { value: view } = this.view;
    const { hiddenBands } = view;
    const { value: decoration } = this.decoration;
    return svgOf(shown.chart, { frame: shown.frame, range: visible(view, shown.bounds), hiddenBands, decoration });
  }
}

/** The lines to lay over the main one. */
export const overlaysOf = (view: CompareView | undefined): OverlayLine[] =>
  (view?.rows ?? []).flatMap(({ line, label, isMain }, index) =>
    line && !isMain ? [{ label, line, color: index - 1 }] : [],
  );
