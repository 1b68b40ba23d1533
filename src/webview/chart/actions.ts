import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { SIZE } from '../../chart/picture.ts';
import type { Notice } from '../../chart/types.ts';
import type { ChartState, DataExport, ImageExport, SentIntent } from '../../editor/views/chart/protocol.ts';
import type { KeepingProps, PageProps } from '../shared/show-page.tsx';

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

const SAVE_PICTURE = 'save-picture';

export type ChartActions = ReturnType<typeof actionsOf>;

type Host = Pick<PageProps<ChartState, SentIntent> & KeepingProps, 'send' | 'log'>;

/** What is done on the page of a chart; a picture that cannot be copied is offered as a file. */
export function actionsOf({ send, log }: Host, picture: () => string | undefined, refusal: Signal<Notice | undefined>) {
  const withPicture = (use: (svg: string) => Promise<unknown>) => {
    const svg = picture();
    if (svg === undefined) return;
    use(svg).catch((error: unknown) => log.error(`The picture could not be drawn: ${String(error)}`));
  };
  const save = (kind: DataExport | ImageExport) => {
    if (kind !== 'png' && kind !== 'svg') send({ type: 'export', kind });
    else withPicture(async (svg) => send({ type: 'picture', kind, data: await bytesOf(svg, kind) }));
  };
  const copy = () =>
    withPicture(async (svg) => {
      try {
        await copyPicture(svg);
        refusal.value = undefined;
        send({ type: 'copied' });
      } catch (error) {
        log.error(`The picture was not copied: ${String(error)}`);
        const actions = [{ id: SAVE_PICTURE, label: l10n.t('Save Image as PNG…') }];
        refusal.value = { sentence: l10n.t('The editor did not allow the image to be copied.'), actions };
      }
    });
  const act = (id: string) => (id === SAVE_PICTURE ? save('png') : send({ type: 'action', id }));
  return { save, copy, act, send };
}
