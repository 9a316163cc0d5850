import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { dailyChecks } from '../../entities/places.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { DashboardPanel } from '../../kit/dashboard/dashboard-panel.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import { daysWord } from '../../kit/format/zones.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { ToggleButton } from '../../kit/toggle-button.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';
import { Recounting } from '../recounting.tsx';
import { useHistory } from './history.data.ts';
import styles from './history.module.css';
import { HistoryChart } from './history-chart.tsx';
import { LAYERS, type Layer, layersShown, sumOf } from './history-layers.ts';
import { HistoryTable } from './history-table.tsx';

interface HistoryPanelProps {
  subject: Subject;
  isTroubleOnly: boolean;
  onTroubleOnly: (isTroubleOnly: boolean) => void;
}

/** Runs by day and result over the range. */
export function HistoryPanel({ subject, isTroubleOnly, onTroubleOnly }: HistoryPanelProps) {
  const reading = useHistory(subject);
  const layers = layersShown(isTroubleOnly);
  const clock = useBackupClock();
  return (
    <DashboardPanel
      title="History"
      note={`runs by day, ${daysWord(clock)}`}
      columns={8}
      bodyPx={300}
      narrowBodyPx={324}
      reading={reading}
      emptyText={(days) => (sumOf(totalOf(days), LAYERS) === 0 ? 'No job ran on these days, and none was due.' : null)}
      actions={
        <ToggleButton isOn={isTroubleOnly} onChange={onTroubleOnly}>
          Problems only
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

interface TotalsProps {
  total: Record<Layer['key'], number>;
  layers: readonly Layer[];
  subject: Subject;
}

/** The legend with the sum of each result; each links to its runs of the whole range. */
function Totals({ total, layers, subject: { day, jobs } }: TotalsProps) {
  const { companyIds = [], source = [] } = jobs;
  return (
    <ul className={styles.totals} aria-label="Totals">
      {layers.map(({ key, result, word, color }) => (
        <li key={key}>
          <ScreenLink
            className={styles.total}
            to={dailyChecks.at({ day, company: companyIds, source, result: [result], state: 'all', ignored: true })}
          >
            <span className={styles.swatch} style={{ background: color }} aria-hidden />
            {word} <strong>{formatCount(total[key])}</strong>
          </ScreenLink>
        </li>
      ))}
    </ul>
  );
}

function totalOf(days: readonly DayCounts[]): Record<Layer['key'], number> {
  const total = { failed: 0, didntRun: 0, warning: 0, running: 0, success: 0 };
  for (const day of days) {
    for (const { key } of LAYERS) total[key] += day[key];
  }
  return total;
}
