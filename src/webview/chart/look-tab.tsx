import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { type Frame } from '../../chart/frame.ts';
import { type Scene, drawScene } from '../../chart/scene.ts';
import type { Look, Seen } from '../../editor/views/analysis/protocol.ts';
import { Drawing } from '../shared/drawing.tsx';

/** What a tab that tells more of a forecast is made from. */
export interface LookTabProps {
  readonly frame: Frame;
  /** What it has asked for; absent where it was never seen. */
  readonly found: Seen | 'asked' | undefined;
}

type ViewOf<L extends Look> = Extract<Seen, { readonly look: L; readonly view: unknown }>['view'];

/** A word while it is computed, a sentence where that failed, else what was found. */
export function LookTab<L extends Look>({
  look,
  found,
  children,
}: Pick<LookTabProps, 'found'> & {
  readonly look: L;
  readonly children: (view: ViewOf<L>) => ComponentChildren;
}) {
  if (found === undefined) return null;
  if (found === 'asked') {
    return (
      <p class="empty" role="status">
        {l10n.t('Being computed…')}
      </p>
    );
  }
  if ('problem' in found) {
    return (
      <p key="problem" class="empty" role="alert">
        {found.problem}
      </p>
    );
  }
  return found.look === look ? <>{children(found.view as ViewOf<L>)}</> : null;
}

/** A picture of a scene. @param height in pixels */
export const Picture = ({
  label,
  height,
  scene,
}: {
  readonly label: string;
  readonly height: number;
  readonly scene: Scene;
}) => (
  <div class="small" style={{ height: `${String(height)}px` }}>
    <Drawing
      label={label}
      paint={(pen, place, colors) => {
        drawScene(pen, scene, place, colors);
      }}
    />
  </div>
);
