import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { formatDay } from '../../kit/format/dates.ts';
import { formatCount, formatRatio } from '../../kit/format/numbers.ts';
import { LAYERS, successRate } from './history-layers.ts';
import { transferredText } from './transferred.ts';

/** The history as a table, for those who do not see the chart. */
export function HistoryTable({ days }: { days: readonly DayCounts[] }) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>Runs by day and result</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {LAYERS.map(({ key, word }) => (
              <th key={key} scope="col">
                {word}
              </th>
            ))}
            <th scope="col">Doubtful</th>
            <th scope="col">Success rate</th>
            <th scope="col">Transferred</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{formatDay(day.day)}</th>
              {LAYERS.map(({ key }) => (
                <td key={key}>{formatCount(day[key])}</td>
              ))}
              <td>{formatCount(day.anomalies)}</td>
              <td>{formatRatio(successRate(day))}</td>
              <td>{transferredText(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
