import type { ComponentChildren, HTMLAttributes, TargetedEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './elements.tsx';

/** Between what has popped up and the end of the page, in pixels. */
const EDGE = 12;

interface PopupProps extends Pick<HTMLAttributes<HTMLDivElement>, 'id' | 'class' | 'role' | 'onKeyDown' | 'children'> {
  readonly label: string;
  /** Where it opens, in pixels of the window; below what it belongs to where it is absent. */
  readonly at?: { readonly x: number; readonly y: number } | undefined;
  /** @param keepsFocus whether the focus goes back to where it was */
  readonly onClose: (keepsFocus: boolean) => void;
}

/** What lies over a page for a while, within it: it is closed by Escape, and when the focus leaves it. */
export function Popup({ label, at, onClose, onKeyDown, children, ...more }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { offsetWidth, offsetHeight, style } = popup.current!;
    const { left, right } = popup.current!.getBoundingClientRect();
    const over = Math.max(0, right + EDGE - innerWidth) || Math.min(0, left);
    if (at) {
      style.left = `${String(Math.max(0, Math.min(at.x, innerWidth - offsetWidth)))}px`;
      style.top = `${String(Math.max(0, Math.min(at.y, innerHeight - offsetHeight)))}px`;
    } else if (over !== 0) style.translate = `${String(-over)}px`;
    popup.current!.focus();
  }, []);
  return (
    <div
      {...more}
      ref={popup}
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose(true);
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && popup.current?.contains(relatedTarget))) onClose(false);
      }}
    >
      {children}
    </div>
  );
}

interface PopupButtonProps {
  /** What the button says, and what it is called where that is more. */
  readonly name: string;
  readonly label?: string;
  readonly isDisabled?: boolean;
  readonly kind: 'menu' | 'panel';
  readonly onOpen?: () => void;
  readonly children: (close: PopupProps['onClose']) => ComponentChildren;
}

export function PopupButton({ name, label, isDisabled, kind, onOpen, children }: PopupButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useRef(false);
  const close = (keepsFocus: boolean) => {
    setOpen(false);
    if (keepsFocus) button.current?.focus();
  };
  return (
    <div class={`${kind}-button`}>
      <button
        ref={button}
        type="button"
        class="tool"
        disabled={isDisabled}
        aria-label={label}
        aria-haspopup={kind === 'menu' ? 'menu' : undefined}
        aria-expanded={isOpen}
        // what has popped up has lost the focus, and closed, by the time of the click
        onPointerDown={() => {
          wasOpen.current = isOpen;
        }}
        onClick={() => {
          const opens = !isOpen && !wasOpen.current;
          setOpen(opens);
          wasOpen.current = false;
          if (opens) onOpen?.();
        }}
      >
        {name}
        <Icon name="chevron" />
      </button>
      {isOpen && children(close)}
    </div>
  );
}

/** An entry of a menu; `separator` for a line between entries. */
export type MenuItem = { readonly label: string; readonly run: () => void } | 'separator';

interface MenuProps extends Pick<PopupProps, 'label' | 'at' | 'onClose'> {
  readonly items: readonly MenuItem[];
}

function Menu({ items, ...popup }: MenuProps) {
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const onKeyDown = (event: TargetedEvent<HTMLDivElement, KeyboardEvent>) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.entry')];
    const now = all.findIndex((entry) => entry === document.activeElement);
    const to: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 };
    if (!(event.key in to)) return;
    all.at(to[event.key]! % all.length)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  const entry = (item: MenuItem, index: number) => {
    if (item === 'separator') return <div key={index} class="separator" role="separator" />;
    const onClick = () => {
      popup.onClose(true);
      item.run();
    };
    const ref = index === 0 ? first : null;
    return (
      <button {...{ ref, onClick }} key={index} type="button" class="entry" role="menuitem" tabIndex={-1}>
        {item.label}
      </button>
    );
  };
  return (
    <Popup {...popup} class={popup.at ? 'menu context' : 'menu'} role="menu" onKeyDown={onKeyDown}>
      {items.map(entry)}
    </Popup>
  );
}

export const MenuButton = (props: Omit<PopupButtonProps, 'kind' | 'children'> & Pick<MenuProps, 'items'>) => (
  <PopupButton {...props} kind="menu">
    {(onClose) => <Menu label={props.name} items={props.items} onClose={onClose} />}
  </PopupButton>
);

/**
 * A context menu of an element instead of the editor's, which only knows Cut, Copy and Paste. Where text is selected, that
 * one comes: it can copy it. @returns what the element listens with, and what is put into it
 */
export function useContextMenu(label: string, items: readonly MenuItem[]) {
  const [at, setAt] = useState<MenuProps['at']>();
  const before = useRef<Element>(null);
  const onContextMenu = (event: MouseEvent) => {
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
  return { onContextMenu, menu: at && <Menu {...{ label, items, at, onClose }} /> };
}
