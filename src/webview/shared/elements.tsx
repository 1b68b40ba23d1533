import * as l10n from '@vscode/l10n';
import type {
  AllHTMLAttributes,
  ButtonHTMLAttributes,
  ComponentChildren,
  HTMLAttributes,
  InputHTMLAttributes,
  TargetedEvent,
} from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { inDigits, inPercent } from '../../calendar/digits.ts';
import type { Action } from '../../chart/chart-view.ts';

const ICONS = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  chevron: 'M4 6.5l4 4 4-4',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.2M8 11.6v.01',
};

export const Icon = ({ name }: { readonly name: keyof typeof ICONS }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true" class={`icon icon-${name}`}>
    <path d={ICONS[name]} />
  </svg>
);

export const Warning = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="warning">
    <Icon name="warning" />
    {children}
  </p>
);

export const Section = ({ title, id, children }: { title: string; id?: string; children: ComponentChildren }) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

const SEPARATOR = ' · ';

export const factsOf = (text = ''): string[] => text.split(SEPARATOR).filter(Boolean);

/** Facts with separators between them. A line is broken between facts, and no separator stands at an end of it. */
export const Facts = (props: { readonly class: string; readonly facts: readonly ComponentChildren[] }) => (
  <div class={`facts ${props.class}`}>
    {props.facts.map((fact, index) => (
      <span key={index} class="fact">
        <span class="separator">{index > 0 && SEPARATOR}</span>
        <span>{fact}</span>
      </span>
    ))}
  </div>
);

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { readonly run: () => void };

export const Button = ({ run, ...more }: ButtonProps) => <button type="button" class="tool" onClick={run} {...more} />;

export const Link = (props: ButtonProps) => <Button class="link" {...props} />;

const MOST_LINKS = 3; // more links of one remark would hide the others

interface LineLinksProps {
  readonly lines: readonly (readonly [first: number, last: number])[];
  readonly show: (first: number, last: number) => void;
}

export const LineLinks = ({ lines, show }: LineLinksProps) => (
  <>
    {lines.slice(0, MOST_LINKS).map(([first, last]) => (
      <Link key={first} run={() => show(first, last)}>
        {first === last ? l10n.t('line {0}', first) : l10n.t('lines {0}–{1}', first, last)}
      </Link>
    ))}
    {lines.length > MOST_LINKS && <span>…</span>}
  </>
);

type Act = (id: string) => void;

export const ActionLink = ({ action: { id, label }, act }: { action: Action; act: Act }) => (
  <Link run={() => act(id)}>{label}</Link>
);

export const Buttons = ({ actions, act, primary = 0 }: { actions: readonly Action[]; act: Act; primary?: number }) => (
  <>
    {actions.map(({ id, label }, index) => (
      <Button key={id} class={index === primary ? 'button' : 'button secondary'} run={() => act(id)}>
        {label}
      </Button>
    ))}
  </>
);

export const figureOf = (value: number | undefined, decimals: number): string =>
  value === undefined ? '–' : inDigits(value, decimals);

export const percentageOf = (value: number | undefined, decimals: number): string =>
  value === undefined ? '–' : inPercent(inDigits(value, decimals));

type Option<V extends string> = readonly [value: V, label: string];

type SelectAttributes = Pick<AllHTMLAttributes<HTMLSelectElement>, 'id' | 'class' | 'disabled' | 'aria-label'>;

type SelectProps<V extends string> = SelectAttributes & {
  readonly value: V;
  readonly options: readonly Option<V>[];
  readonly groups?: readonly (readonly [label: string, options: readonly Option<V>[]])[];
  readonly choose: (value: V) => void;
};

/** A list to choose from. It goes on showing what is so until that is another. */
export function Select<V extends string>({ value, options, groups = [], choose, ...more }: SelectProps<V>) {
  const item = ([one, label]: Option<V>) => (
    <option key={one} value={one} selected={one === value}>
      {label}
    </option>
  );
  return (
    <select
      {...more}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = currentTarget.value as V;
        currentTarget.value = value;
        if (chosen !== value) choose(chosen);
      }}
    >
      {options.map(item)}
      {groups.map(
        ([label, all]) =>
          all.length > 0 && (
            <optgroup key={label} label={label}>
              {all.map(item)}
            </optgroup>
          ),
      )}
    </select>
  );
}

export const Labeled = ({ id, label, children }: { id: string; label: string; children: ComponentChildren }) => (
  <div class="control">
    <label for={id}>{label}</label>
    {children}
  </div>
);

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  readonly shown: string;
  /** @returns `false` if it changes nothing: what is so is shown again */
  readonly take: (typed: string) => unknown;
};

/** An input that shows what is so, but not over what is being typed, and what was taken until its page is rendered again. */
export function Field(props: FieldProps) {
  const { shown, take, ...attributes } = props;
  const [typed, setTyped] = useState<{ readonly text: string; readonly takenFrom?: FieldProps }>();
  const isOver = typed?.takenFrom !== undefined && typed.takenFrom !== props;
  return (
    <input
      {...attributes}
      value={typed && !isOver ? typed.text : shown}
      onInput={({ currentTarget }) => setTyped({ text: currentTarget.value })}
      onBlur={() => setTyped((now) => (now?.takenFrom ? now : undefined))}
      onChange={({ currentTarget: { value } }) =>
        setTyped(take(value) === false ? undefined : { text: value, takenFrom: props })
      }
    />
  );
}

export interface TableRow extends Pick<AllHTMLAttributes<HTMLTableRowElement>, 'class' | 'aria-current'> {
  readonly key: string | number;
  readonly cells: readonly ComponentChildren[];
}

type HeadProps = HTMLAttributes<HTMLTableRowElement> & { readonly columns: readonly ComponentChildren[] };

export const TableHead = ({ columns, ...more }: HeadProps) => (
  <thead>
    <tr {...more}>
      {columns.map((column, index) =>
        column === '' ? (
          <td key={index} />
        ) : (
          <th key={index} scope="col">
            {column}
          </th>
        ),
      )}
    </tr>
  </thead>
);

export const Table = (props: { label: string; columns: readonly ComponentChildren[]; rows: readonly TableRow[] }) => (
  <table aria-label={props.label}>
    <TableHead columns={props.columns} />
    <tbody>
      {props.rows.map(({ key, cells: [name, ...cells], ...more }) => (
        <tr key={key} {...more}>
          <th scope="row">{name}</th>
          {cells.map((cell, index) => (
            <td key={index}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

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
  readonly popup: string;
}

export const PopupButton = ({ name, popup, ...more }: PopupButtonProps) => (
  <button type="button" class="tool" popovertarget={popup} {...more}>
    {name}
    <Icon name="chevron" />
  </button>
);

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

/** A context menu in place of the editor's, but over selected text. @returns listeners of the element, the menu */
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
