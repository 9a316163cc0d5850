import type { RetentionGroup } from '@keepwatch/contract/microsoft365/dashboard';
import { o365Repositories } from '../../entities/places.ts';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { formatBytes, formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { retentionText } from '../repositories/repository-words.ts';
import styles from './dashboard.module.css';

/** Repositories by how long they keep what is no longer current. */
export function RetentionPanel({ reading }: { reading: Reading<readonly RetentionGroup[]> }) {
  return (
    <DashboardPanel
      title="Retention"
      note="by repository"
      columns={4}
      bodyPx={116}
      narrowBodyPx={150}
      reading={reading}
      actions={<ScreenLink to={o365Repositories.at()}>All repositories</ScreenLink>}
      emptyText={(groups) => (groups.length === 0 ? 'No repository yet.' : null)}
    >
      {(groups) => groups.map((group) => <Group key={String(group.retentionPolicy)} group={group} />)}
    </DashboardPanel>
  );
}

function Group({ group: { retentionPolicy, usedBytes, repositories } }: { group: RetentionGroup }) {
  return (
    <section className={styles.group}>
      <h3>{retentionText(retentionPolicy)}</h3>
      <span className={styles.muted}>
        {`${formatCounted(repositories.length, 'repository', 'repositories')} · ${sizeText(usedBytes)}`}
      </span>
      <ul className={styles.repositories}>
        {repositories.map(({ id, name, organizationName, usedBytes: used, immutableDays }) => (
          <li key={id}>
            <ScreenLink className={styles.part} to={o365Repositories.at({ open: id })} title={organizationName}>
              {name}
            </ScreenLink>
            <span className={styles.muted}>
              {immutableDays > 0 ? `locked for ${formatCounted(immutableDays, 'day', 'days')} · ` : ''}
              {sizeText(used)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const sizeText = (bytes: number | null) => (bytes === null ? 'not measured yet' : formatBytes(bytes));
