import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChartControls } from '../../editor/views/analysis/protocol.ts';
import { Icon } from '../shared/elements.tsx';

/** Between the panel and the end of the page, in pixels. */
const EDGE = 12;

interface CovariatesProps {
  readonly columns: NonNullable<ChartControls['columns']>;
  /** Is told the names that are ticked. */
  readonly choose: (names: readonly string[]) => void;
  /** Is called when the ticks are opened and what each is worth can be found out. */
  readonly test: () => void;
}

/**
 * A button that opens a tick for each covariate, with what it was worth. A choice that is not made use of yet stays while
 * the covariates are the same ones.
 */
export function Covariates({ columns, choose, test }: CovariatesProps) {
  const { choices, canTest } = columns;
  const used = choices.filter(({ isUsed }) => isUsed).map(({ name }) => name);
  const state = JSON.stringify([choices.map(({ name }) => name), used]);
  const names = JSON.stringify(choices.map(({ name }) => name));
  const [isOpen, setOpen] = useState(false);
  const [ticked, setTicked] = useState<{ readonly state: string; readonly names: readonly string[] }>({
    state,
    names: used,
  });
  const [asked, setAsked] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const now = ticked.state === state ? ticked.names : used;
  const close = () => {
    setOpen(false);
    button.current!.focus();
  };
  const toggle = () => {
    setOpen(!isOpen);
    if (isOpen || !canTest || asked === names) return;
    setAsked(names);
    test();
  };
  return (
    <div
      class="control known"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        // a click on nothing that takes the focus leaves it open only where it is inside
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button ref={button} type="button" class="tool" aria-expanded={isOpen} aria-controls="columns" onClick={toggle}>
        <span>{l10n.t('Covariates: {0} of {1}', used.length, choices.length)}</span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <Panel
          columns={columns}
          ticked={now}
          isTesting={canTest && asked === names}
          tick={(next) => {
            setTicked({ state, names: next });
          }}
          choose={(chosen) => {
            close();
            choose(chosen);
          }}
        />
      )}
    </div>
  );
}

interface PanelProps extends Pick<CovariatesProps, 'columns' | 'choose'> {
  readonly ticked: readonly string[];
  readonly isTesting: boolean;
  readonly tick: (names: readonly string[]) => void;
}

/** The ticks below their button, further left where they would not end in the page. */
function Panel({ columns: { choices, worth }, ticked, isTesting, tick, choose }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const over = panel.current!.getBoundingClientRect().right - (document.documentElement.clientWidth - EDGE);
    if (over > 0) panel.current!.style.left = `${String(-over)}px`;
  }, []);
  const toggle = (name: string, isTicked: boolean) => {
    tick(choices.map((one) => one.name).filter((one) => (one === name ? isTicked : ticked.includes(one))));
  };
  return (
    <div ref={panel} class="panel" id="columns" role="group" aria-label={l10n.t('Covariates')}>
      <div class="ticks">
        {choices.map(({ name, about }, index) => {
          const id = `column-${String(index)}`;
          return (
            <div key={name} class="tick">
              <input
                type="checkbox"
                id={id}
                aria-describedby={`${id}-about`}
                checked={ticked.includes(name)}
                onChange={({ currentTarget }) => {
                  toggle(name, currentTarget.checked);
                }}
              />
              <label for={id}>{name}</label>
              <span class="far" id={`${id}-about`}>
                {about}
              </span>
            </div>
          );
        })}
      </div>
      {isTesting && (
        <p class="worth" role="status">
          {l10n.t('Looking for covariates that help…')}
        </p>
      )}
      {worth !== undefined && <p class="worth">{worth}</p>}
      <button
        type="button"
        class="button"
        disabled={choices.every(({ name, isUsed }) => ticked.includes(name) === isUsed)}
        onClick={() => {
          choose(ticked);
        }}
      >
        {l10n.t('Forecast with These')}
      </button>
    </div>
  );
}
