import { h, icon, setAttribute } from './dom.ts';

/** An entry of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
}

/** A button that opens a menu, usable with mouse and keyboard. */
export function menuButton(name: string, items: readonly MenuItem[]): HTMLElement {
  const list = h('div.menu', {
    attributes: { role: 'menu', hidden: true, 'aria-label': name },
    on: { keydown: onKey },
  });
  const button = h(
    'button.tool',
    {
      attributes: {
        type: 'button',
        'aria-haspopup': 'menu',
        'aria-expanded': 'false',
      },
      on: { click: () => (list.hidden ? open() : close()) },
    },
    name,
    icon('chevron'),
  );
  const entries = items.map((item) =>
    h(
      'button.entry',
      {
        attributes: { type: 'button', role: 'menuitem', tabindex: -1 },
        on: {
          click: () => {
            close();
            item.run();
          },
        },
      },
      item.label,
    ),
  );
  list.append(...entries);
  const root = h('div.menu-button', { on: { focusout: onLeave } }, button, list);

  function open() {
    list.hidden = false;
    setAttribute(button, 'aria-expanded', 'true');
    entries[0]?.focus();
  }

  function close() {
    if (list.hidden) return;
    list.hidden = true;
    setAttribute(button, 'aria-expanded', 'false');
    button.focus();
  }

  function onLeave(event: FocusEvent) {
    if (event.relatedTarget instanceof Node && root.contains(event.relatedTarget)) return;
    list.hidden = true;
    setAttribute(button, 'aria-expanded', 'false');
  }

  function onKey(event: KeyboardEvent) {
    const at = entries.findIndex((entry) => entry === document.activeElement);
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    if (event.key === 'Escape') close();
    else if (event.key in to) entries.at(to[event.key]! % entries.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return root;
}
