import type { ImageExport, WebviewMessage } from '../../editor/views/chart/protocol.ts';
import { pngOf } from './png.ts';

/** The chart as a picture, saved or copied. */
export interface Pictures {
  save(kind: ImageExport): Promise<void>;
  copy(): Promise<void>;
}

/**
 * @param svg of the chart that is shown
 * @param refused is called where the editor does not let pictures be copied
 */
export function createPictures(
  svg: () => string | undefined,
  post: (message: WebviewMessage) => void,
  refused: () => void,
): Pictures {
  return {
    async save(kind) {
      const text = svg();
      if (text === undefined) return;
      try {
        const data = kind === 'svg' ? new TextEncoder().encode(text) : await pngOf(text);
        post({ type: 'export', kind, data });
      } catch (error) {
        post({ type: 'problem', message: `The picture could not be drawn: ${String(error)}` });
      }
    },
    async copy() {
      const text = svg();
      if (text === undefined) return;
      try {
        const picture = pngOf(text).then((bytes) => new Blob([bytes.slice()], { type: 'image/png' }));
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
        post({ type: 'copied' });
      } catch (error) {
        post({ type: 'problem', message: `The picture was not copied: ${String(error)}` });
        refused();
      }
    },
  };
}
