import type { TargetedEvent, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './elements.tsx';

/** An entry of a menu; `separator` for a line between entries. */
export type MenuItem = { readonly label: string; readonly run: () => void } | 'separator';

interface MenuProps {
  readonly name: string;
  readonly items: readonly MenuItem[];
  /** Where a context menu opens, in pixels of the window. */
  readonly at?: { readonly x: number; readonly y: number };
  /** @param keepsFocus whether the focus goes back to where it was */
  readonly onClose: (keepsFocus: boolean) => void;
}

/** An open menu, usable with mouse and keyboard. */
function Menu({ name, items, at, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const entries = () => [...menu.current!.querySelectorAll<HTMLElement>('.entry')];
  useLayoutEffect(() => {
    const { offsetWidth, offsetHeight, style } = menu.current!;
    const { left, right } = menu.current!.getBoundingClientRect();
    const over = Math.max(0, right - innerWidth) || Math.min(0, left);
    if (over !== 0) style.translate = `${String(-over)}px`;
    if (at) {
      style.translate = '';
      style.left = `${String(Math.max(0, Math.min(at.x, innerWidth - offsetWidth)))}px`;
      style.top = `${String(Math.max(0, Math.min(at.y, innerHeight - offsetHeight)))}px`;
    }
    entries()[0]?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries();
    const now = all.findIndex((entry) => entry === document.activeElement);
    const to: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 };
    if (event.key === 'Escape') onClose(true);
    else if (event.key in to) all.at(to[event.key]! % all.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && menu.current?.contains(relatedTarget))) onClose(false);
  };
  const entry = (item: MenuItem, index: number) => {
    if (item === 'separator') return <div key={index} class="separator" role="separator" />;
    const run = () => {
      onClose(true);
      item.run();
    };
    return (
      <button key={index} type="button" class="entry" role="menuitem" tabIndex={-1} onClick={run}>
        {item.label}
      </button>
    );
  };
  return (
    <div
      ref={menu}
      class={at ? 'menu context' : 'menu'}
      role="menu"
      aria-label={name}
      onKeyDown={onKeyDown}
      onFocusOut={onFocusOut}
    >
      {items.map(entry)}
    </div>
  );
}

/** A button that opens a menu below itself. @param label of the button where that is not its name */
export function MenuButton({
  name,
  label,
  items,
  isDisabled,
}: Pick<MenuProps, 'name' | 'items'> & {
  readonly label?: string;
  readonly isDisabled?: boolean;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useRef(false);
  const onClose = (keepsFocus: boolean) => {
    setOpen(false);
    if (keepsFocus) button.current?.focus();
  };
  // the list has lost the focus, and closed, by the time of the click
  const onPointerDown = () => {
    wasOpen.current = isOpen;
  };
  const onClick = () => {
    setOpen(!wasOpen.current);
    wasOpen.current = false;
  };
  return (
    <div class="menu-button">
      <button
        ref={button}
        type="button"
        class="tool"
        disabled={isDisabled}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerDown={onPointerDown}
        onClick={onClick}
      >
        {name}
        <Icon name="chevron" />
      </button>
      {isOpen && <Menu name={name} items={items} onClose={onClose} />}
    </div>
  );
}

/**
 * A context menu of an element instead of the editor's, which only knows Cut, Copy and Paste. Where text is selected, that
 * one comes: it can copy it. @returns what the element listens with, and what is put into it
 */
export function useContextMenu(
  name: string,
  items: readonly MenuItem[],
): {
  readonly onContextMenu: (event: TargetedEvent<HTMLElement, MouseEvent>) => void;
  readonly menu: VNode | undefined;
} {
  const [at, setAt] = useState<MenuProps['at']>();
  const before = useRef<Element | null>(null);
  const onContextMenu = (event: TargetedEvent<HTMLElement, MouseEvent>) => {
    if (getSelection()?.isCollapsed === false) return;
    if (event.target instanceof Element && event.target.closest('.menu')) return;
    event.preventDefault();
    before.current = document.activeElement;
    setAt({ x: event.clientX, y: event.clientY });
  };
  const onClose = (keepsFocus: boolean) => {
    setAt(undefined);
    if (keepsFocus && before.current instanceof HTMLElement) before.current.focus();
  };
  return { onContextMenu, menu: at && <Menu name={name} items={items} at={at} onClose={onClose} /> };
}
