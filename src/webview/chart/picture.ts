import { SIZE } from '../../chart/picture.ts';
import type { ImageExport } from '../../editor/views/chart/protocol.ts';

export async function bytesOf(svg: string, kind: ImageExport): Promise<Uint8Array<ArrayBuffer>> {
  if (kind === 'svg') return new TextEncoder().encode(svg);
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

/** @throws Error where the editor does not allow it */
export async function copyPicture(svg: string): Promise<void> {
  const picture = bytesOf(svg, 'png').then((bytes) => new Blob([bytes], { type: 'image/png' }));
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
}
