import { h, icon, setAttribute } from './dom.ts';

/** An entry of a menu; `separator` for a line between entries. */
export type MenuItem = { readonly label: string; readonly run: () => void } | 'separator';

interface Menu {
  readonly element: HTMLElement;
  readonly isOpen: () => boolean;
  open(): void;
  close(): void;
}

/** The list of a menu, usable with mouse and keyboard. `onClose` is called after it has closed, with where the focus goes. */
function createMenu(name: string, items: readonly MenuItem[], onClose: (keepsFocus: boolean) => void): Menu {
  const close = (keepsFocus = true) => {
    if (element.hidden) return;
    element.hidden = true;
    onClose(keepsFocus);
  };
  const entries: HTMLElement[] = [];
  const children = items.map((item) => {
    if (item === 'separator') return h('div.separator', { attributes: { role: 'separator' } });
    const click = () => {
      close();
      item.run();
    };
    const attributes = { type: 'button', role: 'menuitem', tabindex: -1 };
    const entry = h('button.entry', { attributes, on: { click } }, item.label);
    entries.push(entry);
    return entry;
  });
  const element = h(
    'div.menu',
    {
      attributes: { role: 'menu', hidden: true, 'aria-label': name },
      on: {
        keydown: (event) => {
          const at = entries.findIndex((entry) => entry === document.activeElement);
          const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
          if (event.key === 'Escape') close();
          else if (event.key in to) entries.at(to[event.key]! % entries.length)?.focus();
          else return;
          event.preventDefault();
          event.stopPropagation();
        },
        focusout: ({ relatedTarget }) => {
          if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) close(false);
        },
      },
    },
    ...children,
  );
  return {
    element,
    isOpen: () => !element.hidden,
    open() {
      element.hidden = false;
      entries[0]?.focus();
    },
    close,
  };
}

/** A button that opens a menu below itself. */
export function menuButton(name: string, items: readonly MenuItem[]): HTMLElement {
  const menu = createMenu(name, items, (keepsFocus) => {
    setAttribute(button, 'aria-expanded', 'false');
    if (keepsFocus) button.focus();
  });
  let wasOpen = false;
  const button = h(
    'button.tool',
    {
      attributes: { type: 'button', 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
      on: {
        // the list has lost the focus, and closed, by the time of the click
        pointerdown: () => {
          wasOpen = menu.isOpen();
        },
        click: () => {
          if (wasOpen) {
            wasOpen = false;
            return;
          }
          setAttribute(button, 'aria-expanded', 'true');
          menu.open();
        },
      },
    },
    name,
    icon('chevron'),
  );
  return h('div.menu-button', {}, button, menu.element);
}

/**
 * Gives an element a context menu of its own instead of the editor's, which only knows Cut, Copy and Paste. Where text is
 * selected, that one comes: it can copy it.
 */
export function contextMenu(target: HTMLElement, name: string, items: readonly MenuItem[]): void {
  let before: HTMLElement | undefined;
  const menu = createMenu(name, items, (keepsFocus) => {
    if (keepsFocus) before?.focus();
  });
  menu.element.classList.add('context');
  target.append(menu.element);
  target.addEventListener('contextmenu', (event) => {
    if (getSelection()?.isCollapsed === false || menu.element.contains(event.target as Node)) return;
    event.preventDefault();
    before = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
    menu.open();
    const { offsetWidth, offsetHeight } = menu.element;
    menu.element.style.left = `${String(Math.max(0, Math.min(event.clientX, innerWidth - offsetWidth)))}px`;
    menu.element.style.top = `${String(Math.max(0, Math.min(event.clientY, innerHeight - offsetHeight)))}px`;
  });
}
