import * as l10n from '@vscode/l10n';
import { inDigits } from '../../calendar/digits.ts';
import type { ChartIntent, Choice, CompareRow, CompareView } from '../../editor/views/chart/protocol.ts';
import { Button, Link } from '../shared/elements.tsx';
import { Swatch } from './readout.tsx';

type Compare = Omit<Extract<ChartIntent, { readonly type: 'compare' }>, 'id'> & { readonly id?: string };

interface CompareProps {
  readonly view: CompareView | null;
  readonly send: (intent: Compare) => void;
}

/** The table of the forecasts that lie over each other, and the choice of what else is to be laid over. */
export function CompareTable({ view, send }: CompareProps) {
  if (!view) return null;
  const { rows, about } = view;
  const heads = [l10n.t('Forecast'), l10n.t('Total'), 'MASE', 'sMAPE', l10n.t('80 % coverage')];
  const save = () => {
    send({ type: 'compare', do: 'save' });
  };
  return (
    <section class="compare" aria-label={l10n.t('Comparison')}>
      <div class="compare-rows">
        <table>
          <caption class="sr-only">{l10n.t('Forecasts compared')}</caption>
          <thead>
            <tr>
              {heads.map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row key={row.id} row={row} index={index} send={send} />
            ))}
          </tbody>
        </table>
      </div>
      <div class="differences" role="status">
        {rows.map(({ id, difference }) => difference !== undefined && <p key={id}>{difference}</p>)}
      </div>
      <div class="compare-add">
        <Add view={view} send={send} />
        <Button hidden={rows.filter(({ line }) => line).length < 2} run={save}>
          {l10n.t('Save All as CSV…')}
        </Button>
        <p class="note">{about}</p>
      </div>
    </section>
  );
}

function Row({ row, index, send }: Pick<CompareProps, 'send'> & { readonly row: CompareRow; readonly index: number }) {
  const { id, label, isMain, isBest, state, sentence, scores = {}, total } = row;
  const message = (what: 'main' | 'remove') => () => {
    send({ type: 'compare', do: what, id });
  };
  const cells = [
    total,
    scores.mase === undefined ? undefined : inDigits(scores.mase, 2),
    scores.smape === undefined ? undefined : `${inDigits(scores.smape, 1)} %`,
    scores.coverage80 === undefined ? undefined : `${String(Math.round(scores.coverage80 * 100))} %`,
  ];
  return (
    <tr aria-current={isMain ? 'true' : undefined}>
      <th scope="row">
        {isMain ? <Swatch kind="forecast" /> : <Swatch kind="other" color={index - 1} />}
        {isMain || state !== 'done' ? (
          <span>{label}</span>
        ) : (
          <Link run={message('main')} title={l10n.t('Make this the main line')}>
            {label}
          </Link>
        )}
        {isBest && <span class="best">{l10n.t('best')}</span>}
        {state === 'pending' && <span class="muted">{l10n.t('is being made…')}</span>}
        {sentence !== undefined && <span class="trouble">{sentence}</span>}
      </th>
      {cells.map((cell, column) => (
        <td key={column}>{cell ?? '–'}</td>
      ))}
      <td>
        {!isMain && (
          <Button aria-label={l10n.t('Take {0} away', label)} run={message('remove')}>
            ×
          </Button>
        )}
      </td>
    </tr>
  );
}

function Add({ view: { models, predictions, rows, most }, send }: CompareProps & { readonly view: CompareView }) {
  const isFull = rows.length >= most;
  const group = (label: string, kind: 'model' | 'prediction', choices: readonly Choice[]) =>
    choices.length > 0 && (
      <optgroup key={kind} label={label}>
        {choices.map((one) => (
          <option key={one.id} value={`${kind} ${one.id}`}>
            {one.label}
          </option>
        ))}
      </optgroup>
    );
  const onChange = ({ currentTarget: select }: preact.TargetedEvent<HTMLSelectElement>) => {
    const [, kind, id = ''] = /^(model|prediction) (.*)$/.exec(select.value) ?? [];
    if (kind === 'model' || kind === 'prediction') send({ type: 'compare', do: `add-${kind}`, id });
    select.value = '';
  };
  return (
    <select
      aria-label={l10n.t('Add a forecast to compare')}
      disabled={isFull || models.length + predictions.length === 0}
      onChange={onChange}
    >
      <option value="">{isFull ? l10n.t('{0} at most', most) : l10n.t('Add a forecast…')}</option>
      {group(l10n.t('Models'), 'model', models)}
      {group(l10n.t('Stored predictions'), 'prediction', predictions)}
    </select>
  );
}
