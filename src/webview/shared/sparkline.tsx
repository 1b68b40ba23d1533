import { useMemo } from 'preact/hooks';
import { drawScene, type Scene } from '../../chart/scene.ts';
import { Drawing } from './drawing.tsx';

const MARGIN = 2;

/** A small drawing without axes, which stays while what it is of does. @param of what the scene is made of */
export function Sparkline<T>({ of, sceneOf }: { readonly of: T; readonly sceneOf: (of: T) => Scene }) {
  return useMemo(() => {
    const scene = sceneOf(of);
    return (
      <span class="small sparkline">
        <Drawing
          paint={(pen, { width, height }, colors) => {
            const place = { left: MARGIN, top: MARGIN, width: width - 2 * MARGIN, height: height - 2 * MARGIN };
            drawScene(pen, scene, place, colors);
          }}
        />
      </span>
    );
  }, [of]);
}
