import type { LicenseDay } from '@keepwatch/contract/microsoft365/dashboard';
import { o365LicensedUsers } from '../../entities/places.ts';
import { DayBars } from '../../kit/chart/day-bars.tsx';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { fixedRange } from '../../kit/date-range/date-range.ts';
import { formatCount } from '../../kit/format/numbers.ts';

const LAYERS = [
  { key: 'before', color: 'var(--accent-text)', isFaded: true },
  { key: 'added', color: 'var(--accent-text)' },
] as const;
const CHART_PX = 160;

/** Licensed users day by day; those whose licence began on the day are marked. */
export function ActivityPanel({ reading }: { reading: Reading<readonly LicenseDay[]> }) {
  return (
    <DashboardPanel
      title="Licence activity"
      note="licensed users by day, in UTC"
      columns={8}
      bodyPx={228}
      reading={reading}
      emptyText={(days) => (days.every(isQuiet) ? 'No user was licensed on these days.' : null)}
    >
      {(days) => <DayBars label="Licensed users by day" layers={LAYERS} days={days.map(barOf)} heightPx={CHART_PX} />}
    </DashboardPanel>
  );
}

const isQuiet = ({ licensed, released }: LicenseDay) => licensed === 0 && released === 0;

function barOf({ day, licensed, added, released }: LicenseDay) {
  const text = `${formatCount(licensed)} licensed, ${formatCount(added)} new, ${formatCount(released)} released`;
  return { day, values: [licensed - added, added], text, to: o365LicensedUsers.at({ date: fixedRange(day, day) }) };
}
