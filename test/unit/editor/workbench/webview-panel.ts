import { URI } from 'vscode-uri';
import { EventEmitter } from './values.ts';

/** A panel without a browser: what is posted to its page can be looked at, and the page can be spoken for. */
export class WebviewPanel {
  readonly viewType: string;
  title: string;
  visible = true;
  active = true;
  iconPath: unknown;
  isDisposed = false;
  readonly posted: unknown[] = [];
  readonly #received = new EventEmitter<unknown>();
  readonly #closed = new EventEmitter<void>();
  readonly #seen = new EventEmitter<unknown>();
  readonly onDidDispose = this.#closed.event;
  readonly onDidChangeViewState = this.#seen.event;
  readonly webview: {
    html: string;
    options: unknown;
    readonly cspSource: string;
    readonly asWebviewUri: (uri: URI) => URI;
    readonly postMessage: (message: unknown) => Promise<boolean>;
    readonly onDidReceiveMessage: EventEmitter<unknown>['event'];
  };

  constructor(viewType: string, title: string) {
    this.viewType = viewType;
    this.title = title;
    this.webview = {
      html: '',
      options: {},
      cspSource: 'https://page.example',
      asWebviewUri: (uri) => uri.with({ scheme: 'https', authority: 'page.example' }),
      postMessage: (message) => {
        if (this.isDisposed) return Promise.reject(new Error('Webview is disposed'));
        this.posted.push(structuredClone(message));
        return Promise.resolve(true);
      },
      onDidReceiveMessage: this.#received.event,
    };
  }

  /** As its page says it. */
  says(message: unknown): void {
    this.#received.fire(structuredClone(message));
  }

  /** Others are not in front any more. */
  onFront: () => void = () => undefined;

  reveal(): void {
    this.onFront();
    this.visible = this.active = true;
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.visible = this.active = false;
    this.#closed.fire();
  }
}
