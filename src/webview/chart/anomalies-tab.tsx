import * as l10n from '@vscode/l10n';
import { inDigits } from '../../calendar/digits.ts';
import { type OddPointsView, RARITIES } from '../../editor/views/analysis/protocol.ts';
import { Link } from '../shared/elements.tsx';
import { LookTab, type LookTabProps } from './look-tab.tsx';
import type { ChartState } from './state.ts';

type Props = LookTabProps & { readonly state: Pick<ChartState, 'host' | 'goTo'> };

/** The tab that lists the observations that were not expected. */
export const AnomaliesTab = (props: Props) => (
  <LookTab look="odd" found={props.found}>
    {(view) => <Anomalies view={view} {...props} />}
  </LookTab>
);

function Anomalies({ view, ...props }: Props & { readonly view: OddPointsView }) {
  const { sentence, points, rarity, canMark, canLeaveOut } = view;
  const { post } = props.state.host;
  const button = (label: string, what: 'leave-out' | 'mark') => (
    <button
      type="button"
      class="button secondary"
      onClick={() => {
        post({ type: 'odd', do: what });
      }}
    >
      {label}
    </button>
  );
  return (
    <>
      <p class="sentence">{sentence}</p>
      <div class="odd-ways">
        <div class="control">
          <label for="rarity">{l10n.t('By chance')}</label>
          <select
            id="rarity"
            value={rarity}
            onChange={({ currentTarget }) => {
              post({ type: 'look', look: 'odd', rarity: Number(currentTarget.value) });
            }}
          >
            {RARITIES.map((one) => (
              <option key={one} value={one}>
                {l10n.t('1 in {0}', inDigits(one))}
              </option>
            ))}
          </select>
        </div>
        {canLeaveOut && points.length > 0 && button(l10n.t('Forecast without Them'), 'leave-out')}
        {canMark && points.length > 0 && button(l10n.t('Mark in the File'), 'mark')}
      </div>
      {points.length > 0 && <TableOf points={points} {...props} />}
    </>
  );
}

function TableOf({ points, frame: { time, value }, state }: Props & Pick<OddPointsView, 'points'>) {
  const label = l10n.t('Anomalies');
  const columns = [l10n.t('Time'), l10n.t('Observed'), l10n.t('Expected'), l10n.t('Anomaly score')];
  return (
    <div class="odd-points" tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.time}>
              <th scope="row">
                <Link
                  run={() => {
                    state.goTo(point.time);
                  }}
                  title={l10n.t('Show in the chart')}
                >
                  {time.write(point.time)}
                </Link>
              </th>
              <td>{value.observed(point.value)}</td>
              <td>{value.predicted(point.expected)}</td>
              <td class="words">{point.about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
