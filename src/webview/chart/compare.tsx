import * as l10n from '@vscode/l10n';
import type { CompareView, SentIntent } from '../../editor/views/chart/protocol.ts';
import { Button, figureOf, Link, percentageOf, Select, Table, type TableRow } from '../shared/elements.tsx';
import { Swatch } from './chart-tab.tsx';

type CompareProps = Readonly<{ view: CompareView | null; send: (intent: SentIntent) => void }>;

export function CompareTable({ view, send }: CompareProps) {
  if (!view) return null;
  const { rows, about } = view;
  const columns = [l10n.t('Forecast'), l10n.t('Total'), 'MASE', 'sMAPE', l10n.t('80% coverage'), ''];
  const table = rows.map((row, at) => rowOf(row, at, send));
  return (
    <section class="compare" aria-label={l10n.t('Comparison')}>
      <div class="compare-rows">
        <Table label={l10n.t('Forecasts compared')} columns={columns} rows={table} />
      </div>
      <div class="differences" role="status">
        {rows.map(({ id, difference }) => difference !== undefined && <p key={id}>{difference}</p>)}
      </div>
      <div class="compare-add">
        <Add view={view} send={send} />
        <Button hidden={rows.filter(({ line }) => line).length < 2} run={() => send({ type: 'compare', do: 'save' })}>
          {l10n.t('Save All as CSV…')}
        </Button>
        <p class="note">{about}</p>
      </div>
    </section>
  );
}

function rowOf(row: CompareView['rows'][number], index: number, send: CompareProps['send']): TableRow {
  const { id, label, isMain, isBest, state, sentence, scores = {}, total } = row;
  const { mase, smape, coverage80 } = scores;
  const name = (
    <>
      {isMain ? <Swatch kind="forecast" /> : <Swatch kind="other" color={index - 1} />}
      {isMain || state !== 'done' ? (
        <span>{label}</span>
      ) : (
        <Link run={() => send({ type: 'compare', do: 'main', id })} title={l10n.t('Make this the main forecast')}>
          {label}
        </Link>
      )}
      {isBest && <span class="best">{l10n.t('best')}</span>}
      {state === 'pending' && <span class="muted">{l10n.t('in progress…')}</span>}
      {sentence !== undefined && <span class="trouble">{sentence}</span>}
    </>
  );
  const remove = !isMain && (
    <Button aria-label={l10n.t('Remove {0}', label)} run={() => send({ type: 'compare', do: 'remove', id })}>
      ×
    </Button>
  );
  const cells = [
    total ?? '–',
    figureOf(mase, 2),
    percentageOf(smape, 1),
    percentageOf(coverage80 && coverage80 * 100, 0),
  ];
  return { key: id, 'aria-current': isMain ? 'true' : undefined, cells: [name, ...cells, remove] };
}

function Add({ view: { models, predictions, rows, most }, send }: CompareProps & { readonly view: CompareView }) {
  const isFull = rows.length >= most;
  const options = (kind: 'model' | 'prediction', choices: CompareView['models']) =>
    choices.map(({ id, label }) => [`${kind} ${id}`, label] as const);
  return (
    <Select
      aria-label={l10n.t('Add a forecast to compare')}
      disabled={isFull || models.length + predictions.length === 0}
      value=""
      options={[['', isFull ? l10n.t('Up to {0}', most) : l10n.t('Add a forecast…')]]}
      groups={[
        [l10n.t('Models'), options('model', models)],
        [l10n.t('Stored predictions'), options('prediction', predictions)],
      ]}
      choose={(chosen: string) => {
        const [kind = '', ...id] = chosen.split(' ');
        send({ type: 'compare', do: kind === 'model' ? 'add-model' : 'add-prediction', id: id.join(' ') });
      }}
    />
  );
}
