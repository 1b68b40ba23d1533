import './style.css';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void; setState(state: unknown): void };

/** The page of a fine-tuned model: takes new content where it stands, so that it keeps its place, and can come back after a reload. */
const vscode = acquireVsCodeApi();
const main = document.querySelector('main')!;
vscode.setState(JSON.parse(main.dataset['state'] ?? 'null'));

window.addEventListener('message', ({ data }: MessageEvent<{ readonly body?: unknown } | undefined>) => {
  if (typeof data?.body !== 'string') return;
  const hadFocus = document.activeElement?.matches('a.button');
  main.innerHTML = data.body;
  if (hadFocus) main.querySelector<HTMLElement>('a.button')?.focus();
});
vscode.postMessage({ type: 'ready' });
