import type { ComponentChildren, HTMLAttributes } from 'preact';
import type { Action } from '../../chart/types.ts';

const ICONS = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  chevron: 'M4 6.5l4 4 4-4',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.2M8 11.6v.01',
};

/** A small line drawing in the color of the text beside it. */
export const Icon = ({ name }: { readonly name: keyof typeof ICONS }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true" class={`icon icon-${name}`}>
    <path d={ICONS[name]} />
  </svg>
);

/** A sentence to be wary of, with what can be done about it. */
export const Warning = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="warning">
    <Icon name="warning" />
    {children}
  </p>
);

interface ButtonProps extends Pick<
  HTMLAttributes<HTMLButtonElement>,
  'title' | 'hidden' | 'aria-label' | 'aria-pressed'
> {
  /** `tool` by default. */
  readonly class?: string;
  readonly run: () => void;
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
}

export const Button = ({ class: kind = 'tool', run, isDisabled, children, ...more }: ButtonProps) => (
  <button type="button" class={kind} disabled={isDisabled} onClick={run} {...more}>
    {children}
  </button>
);

/** Buttons for actions, of which one is what most people want next. */
export const Buttons = ({
  actions,
  act,
  primary = 0,
}: {
  readonly actions: readonly Action[];
  readonly act: (id: string) => void;
  readonly primary?: number;
}) => (
  <>
    {actions.map(({ id, label }, index) => (
      <Button
        key={id}
        class={index === primary ? 'button' : 'button secondary'}
        run={() => {
          act(id);
        }}
      >
        {label}
      </Button>
    ))}
  </>
);

/** How far something is. @param share 0 to 1; absent where nobody knows */
export function Progress({ share, label }: { readonly share: number | undefined; readonly label: string }) {
  const percent = share === undefined ? undefined : percentOf(share);
  return (
    <div
      class={share === undefined ? 'progress endless' : 'progress'}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
    >
      <div class="value" style={{ width: percent === undefined ? '' : `${String(percent)}%` }} />
    </div>
  );
}

export const percentOf = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 100);

/** A link that does something in the page or the editor. */
export const Link = (props: Pick<ButtonProps, 'run' | 'title' | 'children'>) => <Button class="link" {...props} />;
