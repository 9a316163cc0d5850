import type { LicenseUse } from '@keepwatch/contract/microsoft365/dashboard';
import type { LicensedUser } from '@keepwatch/contract/microsoft365/licensing';
import { o365LicensedUsers, o365Licensing } from '../../entities/places.ts';
import { BAR_ROW_PX, BarList } from '../../kit/dashboard/bar-list.tsx';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { formatBytes, formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { partsText } from '../licensing/licensed-user-columns.tsx';
import { RANKED_MAX } from './dashboard.data.ts';

const BODY_PX = RANKED_MAX * BAR_ROW_PX + 18;

/** The organizations that used the most licences in the range. */
export function LicensesPanel({ reading, date }: { reading: Reading<LicenseUse>; date: string }) {
  const total = reading.data?.licensedUsers;
  return (
    <DashboardPanel
      title="Licences"
      note={total === undefined ? undefined : formatCounted(total, 'licensed user', 'licensed users')}
      columns={4}
      bodyPx={BODY_PX}
      reading={reading}
      actions={<ScreenLink to={o365Licensing.at({ date })}>All organizations</ScreenLink>}
      emptyText={({ licensedUsers }) => (licensedUsers === 0 ? 'No user was licensed on these days.' : null)}
    >
      {({ organizations }) => (
        <BarList
          rows={organizations.map(({ id, name, companyName, licensedUsers, newUsers, releasedUsers }) => ({
            key: id,
            title: name,
            to: o365LicensedUsers.at({ date, organization: id }),
            detail: `${companyName} · ${formatCount(newUsers)} new, ${formatCount(releasedUsers)} released`,
            text: formatCount(licensedUsers),
            share: licensedUsers / Math.max(1, organizations[0]?.licensedUsers ?? 1),
          }))}
        />
      )}
    </DashboardPanel>
  );
}

/** The users of whom the most is stored. */
export function StoragePanel({ reading }: { reading: Reading<readonly LicensedUser[]> }) {
  return (
    <DashboardPanel
      title="Highest storage"
      note="users licensed today"
      columns={4}
      bodyPx={BODY_PX}
      reading={reading}
      actions={<ScreenLink to={o365LicensedUsers.at({ date: 'Today', sort: '-bytes' })}>All users</ScreenLink>}
      emptyText={(users) => (users.length === 0 ? 'No user has been backed up in the last 31 days.' : null)}
    >
      {(users) => (
        <BarList
          rows={users.map((user) => ({
            key: user._id,
            title: user.name,
            to: o365LicensedUsers.at({ date: 'Today', sort: '-bytes', open: user._id }),
            detail: `${user.organizationName} · ${partsText(user)}`,
            text: formatBytes(user.bytes),
            share: user.bytes / Math.max(1, users[0]?.bytes ?? 1),
          }))}
        />
      )}
    </DashboardPanel>
  );
}
