import type { BackupStatus, RunsOfDay } from '@keepwatch/contract/microsoft365/dashboard';
import { o365Jobs } from '../../entities/places.ts';
import { RESULT_LOOKS } from '../../entities/result-badge.tsx';
import { DayBars } from '../../kit/chart/day-bars.tsx';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { formatCount } from '../../kit/format/numbers.ts';

/** From the bottom of a bar to its top: problems can be compared on the common base line. */
const LAYERS = (['Failed', 'Warning', 'Running', 'Success'] as const).map((result) => {
  const { word, tone } = RESULT_LOOKS[result];
  return { key: result, word: word.toLowerCase(), color: `var(--status-${tone})`, isFaded: result === 'Success' };
});
const valuesOf = ({ failed, warning, running, success }: RunsOfDay) => [failed, warning, running, success];
const CHART_PX = 160;

/** Runs by day and result. */
export function RunsPanel({ reading }: { reading: Reading<BackupStatus> }) {
  return (
    <DashboardPanel
      title="Runs"
      note="by day, in UTC"
      columns={8}
      bodyPx={228}
      reading={reading}
      emptyText={({ days }) => (days.every((day) => sumOf(valuesOf(day)) === 0) ? 'No job ran on these days.' : null)}
    >
      {({ days }) => <DayBars label="Runs by day" layers={LAYERS} days={days.map(barOf)} heightPx={CHART_PX} />}
    </DashboardPanel>
  );
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function barOf(day: RunsOfDay) {
  const values = valuesOf(day);
  const counts = LAYERS.map(({ word }, layer) => ({ word, value: values[layer] ?? 0 })).filter(
    ({ value }) => value > 0,
  );
  const text = counts.map(({ word, value }) => `${formatCount(value)} ${word}`).join(', ') || 'no runs';
  return { day: day.day, values, text, to: o365Jobs.at({ ranOn: day.day }) };
}
