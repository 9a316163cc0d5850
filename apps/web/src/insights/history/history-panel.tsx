import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { DashboardPanel } from '../../kit/dashboard/dashboard-panel.tsx';
import { formatCount, formatRatio } from '../../kit/format/numbers.ts';
import { daysWord } from '../../kit/format/zones.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { ToggleButton } from '../../kit/toggle-button.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';
import { Recounting } from '../recounting.tsx';
import { useHistory } from './history.data.ts';
import styles from './history.module.css';
import { HistoryChart } from './history-chart.tsx';
import { runsOf } from './history-day.tsx';
import { countedRuns, LAYERS, type Layer, layersShown, successRate, sumOf } from './history-layers.ts';
import { HistoryTable } from './history-table.tsx';

interface HistoryPanelProps {
  subject: Subject;
  /** The results of all runs, instead of the problems alone. */
  isAll: boolean;
  onAll: (isAll: boolean) => void;
}

/** Problems by day over the range, or all results, with the success rate. */
export function HistoryPanel({ subject, isAll, onAll }: HistoryPanelProps) {
  const reading = useHistory(subject);
  const layers = layersShown(isAll);
  const clock = useBackupClock();
  return (
    <DashboardPanel
      title="History"
      note={`${isAll ? 'runs' : 'problems'} by day, ${daysWord(clock)}`}
      columns={8}
      bodyPx={300}
      narrowBodyPx={324}
      reading={reading}
      emptyText={(days) => (sumOf(totalOf(days), LAYERS) === 0 ? 'No job ran on these days, and none was due.' : null)}
      actions={
        <ToggleButton isOn={isAll} onChange={onAll}>
          All results
        </ToggleButton>
      }
    >
      {(days) => (
        <>
          <Totals total={totalOf(days)} layers={layers} subject={subject} />
          <HistoryChart days={days} layers={layers} subject={subject} />
          <Recounting firstDay={days[0]?.day} />
          <HistoryTable days={days} />
        </>
      )}
    </DashboardPanel>
  );
}

type Total = Record<Layer['key'], number>;

interface TotalsProps {
  total: Total;
  layers: readonly Layer[];
  subject: Subject;
}

/** The legend with the sum of each layer; each links to its runs of the whole range. */
function Totals({ total, layers, subject }: TotalsProps) {
  return (
    <ul className={styles.totals} aria-label="Totals">
      {layers.map((layer) => (
        <li key={layer.key}>
          <ScreenLink className={styles.total} to={runsOf(subject, subject.day, [layer])}>
            <span className={styles.swatch} style={{ background: layer.color }} aria-hidden />
            {layer.word} <strong>{formatCount(total[layer.key])}</strong>
          </ScreenLink>
        </li>
      ))}
      <li>
        <Rate total={total} subject={subject} />
      </li>
    </ul>
  );
}

/** It leads to the successes that it is made of. */
function Rate({ total, subject }: Omit<TotalsProps, 'layers'>) {
  const of = `${formatCount(total.success)} of ${formatCount(countedRuns(total))} runs`;
  const successes = LAYERS.filter(({ result }) => result === 'Success');
  return (
    <ScreenLink className={styles.total} title={of} to={runsOf(subject, subject.day, successes)}>
      <span className={styles.stroke} aria-hidden />
      Success rate <strong>{formatRatio(successRate(total))}</strong>
      <span className="visually-hidden">{` (${of})`}</span>
    </ScreenLink>
  );
}

function totalOf(days: readonly DayCounts[]): Total {
  const total = { failed: 0, didntRun: 0, warning: 0, running: 0, success: 0, anomalies: 0 };
  for (const day of days) {
    total.anomalies += day.anomalies;
    for (const { key } of LAYERS) total[key] += day[key];
  }
  return total;
}
