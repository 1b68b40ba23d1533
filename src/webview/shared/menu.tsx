import type { ButtonHTMLAttributes, HTMLAttributes, TargetedEvent } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './elements.tsx';

/** What lies over a page for a while. The browser closes it by Escape and a click elsewhere, and gives the focus back. */
export function Popup(props: HTMLAttributes<HTMLDivElement> & { readonly id: string }) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const close = () => {
      const { activeElement: focused } = document;
      // the focus that is given back would be taken from where the person went
      if (focused instanceof HTMLElement && popup.current!.contains(focused)) focused.blur();
      popup.current!.hidePopover();
    };
    window.addEventListener('blur', close);
    return () => window.removeEventListener('blur', close);
  }, []);
  return (
    <div
      {...props}
      ref={popup}
      popover="auto"
      onFocusOut={({ currentTarget, relatedTarget: to }) => {
        const isOwn = to instanceof HTMLButtonElement && to.popoverTargetElement === currentTarget;
        if (to instanceof Node && !isOwn && !currentTarget.contains(to)) currentTarget.hidePopover();
      }}
    />
  );
}

interface PopupButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly name: string;
  /** Id of what it opens. */
  readonly popup: string;
}

export const PopupButton = ({ name, popup, ...more }: PopupButtonProps) => (
  <button type="button" class="tool" popovertarget={popup} {...more}>
    {name}
    <Icon name="chevron" />
  </button>
);

/** An entry of a menu; `separator` for a line between entries. */
export type MenuItem = { readonly label: string; readonly run: () => unknown } | 'separator';

interface MenuProps extends HTMLAttributes<HTMLDivElement> {
  readonly id: string;
  readonly items: readonly MenuItem[];
}

const Menu = ({ items, ...more }: MenuProps) => (
  <Popup class="menu" {...more} role="menu" onKeyDown={walk} onToggle={begin}>
    {items.map((item, index) =>
      item === 'separator' ? (
        <div key={index} class="separator" role="separator" />
      ) : (
        <button
          key={index}
          type="button"
          class="entry"
          role="menuitem"
          tabIndex={-1}
          popovertarget={more.id}
          popovertargetaction="hide"
          onClick={item.run}
        >
          {item.label}
        </button>
      ),
    )}
  </Popup>
);

function begin({ currentTarget, newState }: TargetedEvent<HTMLDivElement, ToggleEvent>): void {
  if (newState === 'open') currentTarget.querySelector<HTMLElement>('.entry')?.focus();
}

function walk(event: TargetedEvent<HTMLDivElement, KeyboardEvent>): void {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('.entry')];
  const now = entries.findIndex((entry) => entry === document.activeElement);
  const to: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 };
  if (!(event.key in to)) return;
  entries.at(to[event.key]! % entries.length)?.focus();
  event.preventDefault();
}

export function MenuButton({ items, ...button }: Omit<PopupButtonProps, 'popup'> & Pick<MenuProps, 'items'>) {
  const id = useId();
  return (
    <div class="popup-button">
      <PopupButton {...button} popup={id} aria-haspopup="menu" />
      <Menu id={id} aria-label={button.name} items={items} />
    </div>
  );
}

/**
 * A context menu of an element instead of the editor's, which only knows Cut, Copy and Paste. Where text is selected, that
 * one comes: it can copy it. @returns what the element listens with, and what is put beside it
 */
export function useContextMenu(label: string, items: readonly MenuItem[]) {
  const id = useId();
  const onContextMenu = (event: MouseEvent) => {
    if (getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    const show = () => {
      const menu = document.getElementById(id)!;
      menu.showPopover();
      menu.style.left = `${String(Math.max(0, Math.min(event.clientX, innerWidth - menu.offsetWidth)))}px`;
      menu.style.top = `${String(Math.max(0, Math.min(event.clientY, innerHeight - menu.offsetHeight)))}px`;
    };
    // the end of the click that opened it would close it
    if (event.buttons > 0) addEventListener('pointerup', show, { once: true });
    else show();
  };
  return { onContextMenu, menu: <Menu id={id} class="menu context" aria-label={label} items={items} /> };
}
