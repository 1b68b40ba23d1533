/** Properties of an element: attributes as text, flags as booleans, listeners by their event's name. */
export interface Properties {
  readonly attributes?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly on?: { readonly [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
}

/** Makes an element. `name` is a tag with classes, such as `button.tool.wide`; strings become text, never markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K | `${K}.${string}`,
  { attributes = {}, on = {} }: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = name.split('.') as [K, ...string[]];
  const element = document.createElement(tag);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value);
  for (const [type, listener] of Object.entries(on)) element.addEventListener(type, listener as EventListener);
  element.append(...children);
  return element;
}

/** Sets an attribute; `false` and `undefined` take it away, `true` sets it without a value. */
export function setAttribute(element: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

const ICONS = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  chevron: 'M4 6.5l4 4 4-4',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.2M8 11.6v.01',
};

/** A small line drawing in the colour of the text beside it. */
export function icon(name: keyof typeof ICONS): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', `icon icon-${name}`);
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

/** Whoever writes in an input that is made anew goes on where they were, once what is returned is called. */
export function writtenOn(root: ParentNode, selector: string): () => void {
  const input = root.querySelector<HTMLInputElement>(`${selector}:focus`);
  if (!input) return () => undefined;
  const { selectionStart, selectionEnd, selectionDirection } = input;
  return () => {
    const anew = root.querySelector<HTMLInputElement>(selector);
    anew?.focus();
    anew?.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
  };
}
