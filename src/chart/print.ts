/** The colours and the type of one chart, as canvas and SVG take them. */
export interface Colors {
  readonly text: string;
  readonly muted: string;
  readonly background: string;
  readonly history: string;
  readonly forecast: string;
  /** Of forecasts beside the main one. */
  readonly others: readonly string[];
  /** Of the rings around anomalies. */
  readonly anomaly: string;
  /** High contrast: bands get edges, and lines no transparency. */
  readonly contrast: boolean;
  readonly fontFamily: string;
  readonly fontSize: number;
}

/** How much each band covers what is below it; nested ones add up. */
export const BAND_ALPHA = 0.15;

/** How strong the colour is where `layers` bands lie over each other, 0 to 1. */
export const bandStrength = (layers: number): number => 1 - (1 - BAND_ALPHA) ** layers;

/** How much of what is drawn beyond what the history supports is covered, 0 to 1. */
export const FADED = 0.55;

/** Ink on paper, whatever the editor's theme. */
export const PRINT: Colors = {
  text: '#1f1f1f',
  muted: '#5f6368',
  background: '#ffffff',
  history: '#3b3b3b',
  forecast: '#0b62c4',
  others: ['#7b3fb5', '#2d7d32', '#b35c00'],
  anomaly: '#c62828',
  contrast: false,
  fontFamily: 'Arial, "Liberation Sans", "DejaVu Sans", Helvetica, sans-serif',
  fontSize: 12,
};
