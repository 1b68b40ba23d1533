import { options } from 'preact';
import { JSDOM } from 'jsdom';

/** What a pen did on a canvas, with how it was set then. */
export interface Stroke {
  readonly call: string;
  readonly args: readonly unknown[];
  readonly color: string;
  readonly alpha: number;
  readonly dash: readonly number[];
}

/** A path as the canvas is handed it: `M10,20 L30,40`. */
class Path {
  readonly parts: string[] = [];
  readonly arcs: number[][] = [];
  moveTo = (x: number, y: number) => void this.parts.push(`M${Math.round(x)},${Math.round(y)}`);
  lineTo = (x: number, y: number) => void this.parts.push(`L${Math.round(x)},${Math.round(y)}`);
  readonly rects: number[][] = [];
  rect = (...rect: number[]) => void this.rects.push(rect);
  arc = (...arc: number[]) => void this.arcs.push(arc);
  closePath = () => undefined;
}

/** A pen of a canvas that draws nothing, and keeps what it was to draw. */
export class Pen {
  readonly strokes: Stroke[] = [];
  readonly canvas: HTMLCanvasElement;
  #set: Record<string, unknown> = { globalAlpha: 1, strokeStyle: '', fillStyle: '' };
  #dash: readonly number[] = [];
  readonly #saved: { readonly set: Record<string, unknown>; readonly dash: readonly number[] }[] = [];

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    const get = (_: unknown, name: string): unknown => {
      if (name === 'canvas') return canvas;
      if (name === 'measureText') return (text: string) => ({ width: 7 * text.length });
      if (name === 'setLineDash') return (dash: readonly number[]) => (this.#dash = [...dash]);
      if (name === 'save') return () => this.#saved.push({ set: { ...this.#set }, dash: this.#dash });
      if (name === 'restore') return this.#restore;
      if (name in this.#set && !/^(stroke|fill)$/.test(name)) return this.#set[name];
      return (...args: readonly unknown[]) => {
        const color = String(name.startsWith('fill') ? this.#set['fillStyle'] : this.#set['strokeStyle']);
        const alpha = Number(this.#set['globalAlpha']);
        const how = { color, alpha, dash: this.#dash };
        this.strokes.push({ call: name, args, ...how });
        if (!(args[0] instanceof Path)) return;
        this.strokes.push(...args[0].arcs.map((arc) => ({ call: 'arc', args: arc, ...how })));
        this.strokes.push(...args[0].rects.map((rect) => ({ call: 'rect', args: rect, ...how })));
      };
    };
    const set = (_: unknown, name: string, value: unknown) => {
      this.#set[name] = value;
      return true;
    };
    this.context = new Proxy({}, { get, set });
  }

  readonly context: object;

  readonly #restore = (): void => {
    const before = this.#saved.pop();
    if (before) ({ set: this.#set, dash: this.#dash } = before);
  };

  /** The texts that were written. */
  get texts(): string[] {
    return this.strokes.flatMap(({ call, args }) => (call === 'fillText' ? [String(args[0])] : []));
  }

  /** The lines that were drawn in a colour, or the areas that were filled with it. */
  paths(color: string, how: 'stroke' | 'fill' = 'stroke'): string[] {
    return this.strokes.flatMap(({ call, color: own, args: [path] }) =>
      call === how && own === color && path instanceof Path && path.arcs.length === 0 ? [path.parts.join(' ')] : [],
    );
  }

  /** How often it did something. */
  count(call: string): number {
    return this.strokes.filter((one) => one.call === call).length;
  }

  forget(): void {
    this.strokes.length = 0;
  }
}

const COLORS: Readonly<Record<string, string>> = {
  '--vscode-foreground': 'ink',
  '--vscode-charts-blue': 'blue',
  '--vscode-editor-background': 'paper',
  '--vscode-charts-purple': 'purple',
  '--vscode-charts-green': 'green',
  '--vscode-charts-orange': 'orange',
  '--vscode-charts-red': 'red',
};

/** The popup that is open, and what had the focus before; jsdom knows none. One that is open says so by `data-open`. */
let popup: { readonly element: HTMLElement; readonly before: Element | null } | undefined;

function show(element: HTMLElement): void {
  hide();
  popup = { element, before: document.activeElement };
  element.dataset['open'] = '';
  element.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' }));
}

function hide(): void {
  const { element, before } = popup ?? {};
  popup = undefined;
  delete element?.dataset['open'];
  if (element?.contains(document.activeElement)) (before as HTMLElement | null)?.focus();
}

function usePopups(window: JSDOM['window']): void {
  Object.assign(window.HTMLElement.prototype, {
    showPopover(this: HTMLElement) { show(this); },
    hidePopover(this: HTMLElement) { if (this === popup?.element) hide(); },
  }); // prettier-ignore
  window.document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest('[popovertarget]');
    const element = window.document.getElementById(button?.getAttribute('popovertarget') ?? '');
    if (!button || !element) return;
    const isHiding = button.getAttribute('popovertargetaction') === 'hide' || element === popup?.element;
    if (isHiding) hide();
    else {
      (button as HTMLElement).focus();
      show(element);
    }
  });
  window.document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
}

/** What a browser has and jsdom lacks: sizes, canvases, a theme, frames, and observers that the test lets see. */
export class Browser {
  readonly window: JSDOM['window'];
  /** Sizes of elements in pixels, by a class of theirs. */
  readonly sizes = new Map<string, { width: number; height: number }>();
  colors: Readonly<Record<string, string>> = COLORS;
  readonly #pens = new WeakMap<object, Pen>();
  readonly #resized = new Set<() => void>();
  readonly #frames: (() => void)[] = [];
  readonly #ends: (() => void)[] = [];
  /** What listeners of a page threw. */
  readonly #faults: unknown[] = [];

  constructor() {
    const { window } = new JSDOM('<!DOCTYPE html><html lang="en"><body></body></html>', { pretendToBeVisual: true });
    this.window = window;
    window.addEventListener('error', ({ error }) => {
      if (error) this.#faults.push(error);
    });
    usePopups(window);
    const penOf = (canvas: HTMLCanvasElement) => this.#penOf(canvas);
    const sizeOf = (element: Element) => this.#sizeOf(element);
    Object.assign(window.HTMLCanvasElement.prototype, {
      getContext(this: HTMLCanvasElement) {
        return penOf(this).context;
      },
    });
    Object.defineProperties(window.HTMLElement.prototype, {
      clientWidth: { configurable: true, get(this: Element) { return sizeOf(this).width; } },
      clientHeight: { configurable: true, get(this: Element) { return sizeOf(this).height; } },
    }); // prettier-ignore
    Object.assign(window.Element.prototype, {
      setPointerCapture: () => undefined,
      getBoundingClientRect(this: Element) {
        const { width, height } = sizeOf(this);
        return { left: 0, top: 0, right: width, bottom: height, width, height, x: 0, y: 0 };
      },
    });
  }

  /** What drew on a canvas of the page: the large one of the plot, or that of another element. */
  pen(selector = '.plot canvas'): Pen {
    const canvas = this.window.document.querySelector<HTMLCanvasElement>(selector);
    if (!canvas) throw new Error(`There is no canvas at ${selector}`);
    return this.#penOf(canvas);
  }

  /** Gives elements of this class another size, and lets who observes them see it. */
  resize(name: string, width: number, height: number): void {
    this.sizes.set(name, { width, height });
    for (const see of this.#resized) see();
  }

  /** Lets the browser draw what it was asked to draw in the next frame. */
  frame(): void {
    for (const draw of this.#frames.splice(0)) draw();
  }

  /** Is called at the end of the test. */
  atEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /** Pages are gone at the end of a test: they hear and observe nothing any more. */
  end(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#frames.length = 0;
    this.#resized.clear();
    const [fault] = this.#faults.splice(0);
    if (fault) throw new Error('The page has a fault', { cause: fault });
  }

  /** What else the pages ask of their surroundings. */
  get globals(): Readonly<Record<string, unknown>> {
    const { window } = this;
    const resized = this.#resized;
    class Observer {
      readonly #see: () => void;
      constructor(see: () => void) {
        this.#see = see;
      }
      observe = () => void resized.add(this.#see);
      disconnect = () => void resized.delete(this.#see);
    }
    const ends = this.#ends;
    class Mutations extends window.MutationObserver {
      constructor(see: () => void) {
        super(see);
        ends.push(() => {
          this.disconnect();
        });
      }
    }
    const matchMedia = () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }); // prettier-ignore
    const requestAnimationFrame = (draw: () => void) => this.#frames.push(draw);
    const getComputedStyle = () => ({
      getPropertyValue: (name: string) => this.colors[name] ?? '',
      color: 'black',
      fontFamily: 'sans',
      fontSize: '13px',
    });
    Object.assign(window, { matchMedia, Path2D: Path, ResizeObserver: Observer, requestAnimationFrame });
    const names = ['document', 'Node', 'Element', 'HTMLElement', 'HTMLButtonElement', 'SVGElement', 'Event', 'CustomEvent', 'MouseEvent', 'KeyboardEvent', 'FocusEvent', 'MessageEvent', 'WheelEvent', 'PointerEvent', 'navigator', 'Image'] as const; // prettier-ignore
    return {
      window,
      ...Object.fromEntries(names.map((name) => [name, window[name] as unknown])),
      MutationObserver: Mutations,
      getSelection: window.getSelection.bind(window),
      innerWidth: 1024,
      innerHeight: 768,
      devicePixelRatio: 1,
      matchMedia,
      Path2D: Path,
      ResizeObserver: Observer,
      requestAnimationFrame,
      addEventListener: window.addEventListener.bind(window),
      getComputedStyle,
    };
  }

  #penOf(canvas: HTMLCanvasElement): Pen {
    const known = this.#pens.get(canvas);
    if (known) return known;
    const pen = new Pen(canvas);
    this.#pens.set(canvas, pen);
    return pen;
  }

  #sizeOf(element: Element): { width: number; height: number } {
    for (const [name, size] of this.sizes) if (element.classList.contains(name)) return size;
    const { width, height } = (element as HTMLElement).style ?? {};
    return { width: Number.parseFloat(width) || 0, height: Number.parseFloat(height) || 0 };
  }
}

let one: Browser | undefined;

/**
 * The browser of the tests, with an empty page before each. The drawing keeps the document that is there when it is
 * loaded, so that all suites of a process have the same one.
 */
export function useBrowser(): Browser {
  const browser = (one ??= new Browser());
  const outside = new Map<string, PropertyDescriptor | undefined>();
  before(() => {
    // what a test does is seen at once; a browser renders at the end of the current task
    options.debounceRendering = (render) => {
      render();
    };
    for (const [name, value] of Object.entries(browser.globals)) {
      outside.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  });
  beforeEach(() => {
    browser.sizes.clear();
    browser.sizes.set('plot', { width: 800, height: 400 });
    browser.sizes.set('overview', { width: 800, height: 40 });
    browser.sizes.set('scroller', { width: 800, height: 240 });
    browser.colors = COLORS;
    document.body.className = '';
    document.body.innerHTML = '<main id="app"></main>';
  });
  afterEach(() => {
    browser.end();
  });
  after(() => {
    document.body.innerHTML = '';
    for (const [name, property] of outside) {
      if (property) Object.defineProperty(globalThis, name, property);
      else Reflect.deleteProperty(globalThis, name);
    }
  });
  return browser;
}

/** Presses a key on an element. @returns whether the page took it */
export function press(element: Element, key: string, more: KeyboardEventInit = {}): boolean {
  return !element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
}

/** Does something with the mouse at a place of an element. */
export function pointer(element: EventTarget, type: string, x: number, more: PointerEventInit = {}): Event {
  const event = new PointerEvent(type, {
    clientX: x,
    clientY: 10,
    bubbles: true,
    cancelable: true,
    pointerId: 1,
    ...more,
  });
  element.dispatchEvent(event);
  return event;
}

/** All that waits for the end of the current task, as the drawing of a chart does. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
