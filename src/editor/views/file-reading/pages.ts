import * as vscode from 'vscode';
import type { LayoutChoice } from '../../../reading/types.ts';
import type { OpenedDocument } from '../../files/document.ts';
import { READING_VIEW_TYPE } from '../../names.ts';
import { Cancelled } from '../../ui/failure.ts';
import { PageHost } from '../shared/page-host.ts';
import { ReadingPage, type ReadingServices } from './page.ts';
import { ReadingIntent, ReadingRef, type ReadingState } from './protocol.ts';

/** The pages "How This File Is Read", one for each file. */
export class ReadingPages implements vscode.Disposable {
  readonly #host: PageHost<ReadingState, ReadingIntent, ReadingPage>;

  constructor(services: ReadingServices & { readonly extensionUri: vscode.Uri }) {
    this.#host = new PageHost(
      {
        viewType: READING_VIEW_TYPE,
        bundle: 'reading',
        ref: ReadingRef,
        intent: ReadingIntent,
        keyOf: ({ uri }: ReadingRef) => uri,
        make: (ref: ReadingRef, changed: () => void) => new ReadingPage(ref, services, changed),
      },
      services,
    );
  }

  open(uri: vscode.Uri): void {
    this.#host.open({ uri: uri.toString() });
  }

  /**
   * Lets the person look at how a document is read before it is used.
   * @param purpose what is done with it, as a button says it
   * @throws Cancelled where the page is closed; SeriesError
   */
  async settle(opened: OpenedDocument, purpose: string): Promise<OpenedDocument> {
    const ref = { uri: opened.uri.toString() };
    const page = this.#host.open(ref);
    const { promise, resolve, reject } = Promise.withResolvers<LayoutChoice>();
    page.wait({
      purpose,
      accept: resolve,
      cancel: () => {
        reject(new Cancelled());
      },
    });
    const layout = await promise;
    this.#host.close(ref);
    return opened.again({ layout });
  }

  dispose(): void {
    this.#host.dispose();
  }
}
