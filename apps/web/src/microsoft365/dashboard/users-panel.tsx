import type { UserFigures } from '@keepwatch/contract/microsoft365/dashboard';
import { STALE_DAYS, USER_PARTS } from '@keepwatch/contract/microsoft365/licensing';
import { o365LicensedUsers, o365Organizations } from '../../entities/places.ts';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { Figure } from '../../kit/facts/figure.tsx';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { PART_TEXTS } from '../licensing/licensed-user-columns.tsx';
import styles from './dashboard.module.css';

/** Who is licensed today, by what is backed up. */
export function UsersPanel({ reading }: { reading: Reading<UserFigures> }) {
  return (
    <DashboardPanel
      title="Users"
      note="licensed today"
      columns={4}
      bodyPx={116}
      narrowBodyPx={150}
      reading={reading}
      emptyText={({ licensed }) => (licensed === 0 ? 'No user has been backed up in the last 31 days.' : null)}
    >
      {(figures) => <Figures figures={figures} />}
    </DashboardPanel>
  );
}

function Figures({ figures }: { figures: UserFigures }) {
  const { licensed, organizations, stale } = figures;
  return (
    <div className={styles.users}>
      <Figure
        label="Licensed users"
        hint="Users of whom something was backed up in the last 31 days"
        value={
          <ScreenLink className={styles.figure} to={o365LicensedUsers.at({ date: 'Today' })}>
            {formatCount(licensed)}
          </ScreenLink>
        }
      />
      <ul className={styles.parts}>
        {USER_PARTS.map((part) => (
          <li key={part}>
            <ScreenLink className={styles.part} to={o365LicensedUsers.at({ date: 'Today', part: [part] })}>
              <strong>{formatCount(figures[part])}</strong> {PART_TEXTS[part]}
            </ScreenLink>
          </li>
        ))}
        <li>
          <ScreenLink className={styles.part} to={o365Organizations.at()}>
            {`in ${formatCounted(organizations, 'organization', 'organizations')}`}
          </ScreenLink>
        </li>
        {stale > 0 && (
          <li>
            <ScreenLink className={styles.stale} to={o365LicensedUsers.at({ date: 'Today', stale: true })}>
              <strong>{formatCount(stale)}</strong> {`without backup for ${STALE_DAYS} days`}
            </ScreenLink>
          </li>
        )}
      </ul>
    </div>
  );
}
