import { JSDOM } from 'jsdom';

const NAMES = [
  'document',
  'Node',
  'Element',
  'HTMLElement',
  'SVGElement',
  'Event',
  'getSelection',
  'innerWidth',
  'innerHeight',
] as const;

/** Gives the tests of a suite the document of an empty page as `document`, each a new one. */
export function usePage(): void {
  const before = new Map<string, unknown>();
  beforeEach(() => {
    const { window } = new JSDOM('<!DOCTYPE html><html lang="en"><body><main id="app"></main></body></html>');
    for (const name of NAMES) {
      before.set(name, (globalThis as Record<string, unknown>)[name]);
      const value: unknown = window[name];
      const given: unknown = name === 'getSelection' ? window.getSelection.bind(window) : value;
      Object.defineProperty(globalThis, name, { value: given, configurable: true, writable: true });
    }
  });
  afterEach(() => {
    for (const [name, value] of before)
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  });
}

/** The element that a selector finds. @throws Error where there is none */
export function find<E extends HTMLElement>(selector: string, root: ParentNode = document): E {
  const found = root.querySelector<E>(selector);
  if (!found) throw new Error(`Nothing is found by ${selector} in ${document.body.innerHTML}`);
  return found;
}

/** The button with this text. */
export function button(label: string, root: ParentNode = document): HTMLElement {
  const all = [...root.querySelectorAll<HTMLElement>('button')];
  const one = all.find(({ textContent }) => textContent === label);
  if (!one) throw new Error(`No button says ${label}, only: ${all.map(({ textContent }) => textContent).join(', ')}`);
  return one;
}
