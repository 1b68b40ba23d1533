import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { PRINT } from '../../chart/pen.ts';
import { drawPicture, SIZE, svgOf } from '../../chart/picture.ts';
import type { Notice } from '../../chart/types.ts';
import type { ChartState, DataExport, ImageExport, SentIntent } from '../../editor/views/chart/protocol.ts';
import { canvasPen } from '../shared/drawing.tsx';
import type { KeepingProps, PageProps } from '../shared/show-page.tsx';

export type Picture = Parameters<typeof svgOf>;

async function pngOf([chart, seen]: Picture): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = 2 * SIZE.width;
  canvas.height = 2 * SIZE.height;
  drawPicture(canvasPen(canvas.getContext('2d')!, 2, PRINT), chart, seen);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!blob) throw new Error('The browser made no PNG of the chart.');
  return blob;
}

const SAVE_PICTURE = 'save-picture';

export type ChartActions = ReturnType<typeof actionsOf>;

type Host = Pick<PageProps<ChartState, SentIntent> & KeepingProps, 'send' | 'log'>;

/** What is done on the page of a chart; a picture that cannot be copied is offered as a file. */
export function actionsOf(
  { send, log }: Host,
  picture: () => Picture | undefined,
  refusal: Signal<Notice | undefined>,
) {
  const savePicture = async (kind: ImageExport, drawn: Picture) => {
    const data = kind === 'svg' ? new Blob([svgOf(...drawn)]) : await pngOf(drawn);
    send({ type: 'picture', kind, data: new Uint8Array(await data.arrayBuffer()) });
  };
  const save = (kind: DataExport | ImageExport) => {
    if (kind !== 'png' && kind !== 'svg') return send({ type: 'export', kind });
    const drawn = picture();
    if (!drawn) return;
    savePicture(kind, drawn).catch((error: unknown) => log.error(`The picture could not be drawn: ${String(error)}`));
  };
  const copy = async () => {
    const drawn = picture();
    if (!drawn) return;
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(drawn) })]);
      refusal.value = undefined;
      send({ type: 'copied' });
    } catch (error) {
      log.error(`The picture was not copied: ${String(error)}`);
      const actions = [{ id: SAVE_PICTURE, label: l10n.t('Save Image as PNG…') }];
      refusal.value = { sentence: l10n.t('The editor did not allow the image to be copied.'), actions };
    }
  };
  const act = (id: string) => (id === SAVE_PICTURE ? save('png') : send({ type: 'action', id }));
  return { save, copy, act, send };
}
