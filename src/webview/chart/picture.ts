import { SIZE } from '../../chart/picture.ts';
import type { ImageExport, SentIntent } from '../../editor/views/chart/protocol.ts';
import type { KeepingProps } from '../shared/show-page.tsx';

/** A picture as PNG bytes, at twice its size. */
async function pngOf(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Image();
  const source = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * SIZE.width;
    canvas.height = 2 * SIZE.height;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/png');
    });
    if (!blob) throw new Error('The browser made no PNG of the chart.');
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(source);
  }
}

interface Target extends Pick<KeepingProps, 'log'> {
  readonly send: (intent: SentIntent) => void;
}

/** Hands a picture to the editor, which saves it. */
export function savePicture(svg: string, kind: ImageExport, { send, log }: Target): void {
  const drawn = kind === 'svg' ? Promise.resolve(new TextEncoder().encode(svg)) : pngOf(svg);
  drawn
    .then((data) => send({ type: 'picture', kind, data }))
    .catch((error: unknown) => log.error(`The picture could not be drawn: ${String(error)}`));
}

/** Puts a picture on the clipboard. @returns whether the editor let it be put there */
export async function copyPicture(svg: string, { send, log }: Target): Promise<boolean> {
  try {
    const picture = pngOf(svg).then((bytes) => new Blob([bytes], { type: 'image/png' }));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    send({ type: 'copied' });
    return true;
  } catch (error) {
    log.error(`The picture was not copied: ${String(error)}`);
    return false;
  }
}
