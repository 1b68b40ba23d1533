import type { ImageExport, WebviewMessage } from '../../editor/views/chart/protocol.ts';
import { pngOf } from './png.ts';

/** The chart as a picture, saved or copied. */
export interface Pictures {
  save(kind: ImageExport): void;
  copy(): void;
}

/**
 * @param svg of the chart that is shown
 * @param tried is told whether the editor let a picture be copied
 */
export function createPictures(
  svg: () => string | undefined,
  post: (message: WebviewMessage) => void,
  tried: (isCopied: boolean) => void,
): Pictures {
  async function save(kind: ImageExport, text: string) {
    const data = kind === 'svg' ? new TextEncoder().encode(text) : await pngOf(text);
    post({ type: 'export', kind, data });
  }
  async function copy(text: string) {
    const picture = pngOf(text).then((bytes) => new Blob([bytes.slice()], { type: 'image/png' }));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    post({ type: 'copied' });
    tried(true);
  }
  return {
    save(kind) {
      const text = svg();
      if (text === undefined) return;
      save(kind, text).catch((error: unknown) => {
        post({ type: 'problem', message: `The picture could not be drawn: ${String(error)}` });
      });
    },
    copy() {
      const text = svg();
      if (text === undefined) return;
      copy(text).catch((error: unknown) => {
        post({ type: 'problem', message: `The picture was not copied: ${String(error)}` });
        tried(false);
      });
    },
  };
}
