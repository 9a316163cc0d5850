import type { Repository } from '@keepwatch/contract/inventory/repositories';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { formatBytes, formatCount, formatRatio } from '../../kit/format/numbers.ts';
import { useClock } from '../../kit/portal.tsx';
import { useRepositories } from './company-page.data.ts';
import styles from './company-section.module.css';
import { CompanySection } from './company-section.tsx';
import { fullAtOf } from './full-at.ts';

/** Where the backups are stored, and on which day each repository will be full. */
export function RepositoriesSection({ id }: { id: string }) {
  const reading = useRepositories(id);
  const { count = 0, data = [] } = reading.data ?? {};
  return (
    <CompanySection
      title="Repositories"
      note={count > data.length ? `${data.length} of ${formatCount(count)}` : undefined}
      reading={reading}
      empty={(found) =>
        found.count > 0 ? null : (
          <p>No repository of this company alone is known. Those of a connected console appear after its next sync.</p>
        )
      }
    >
      {(found) => (
        <ul className={styles.list}>
          {found.data.map((repository) => (
            <RepositoryRow key={repository._id} repository={repository} />
          ))}
        </ul>
      )}
    </CompanySection>
  );
}

function RepositoryRow({ repository }: { repository: Repository }) {
  const { name, serverName, usedRatio, freeBytes, capacityBytes, usedBytes } = repository;
  const { timeZone } = useBackupClock();
  const { text, day, urgency } = fullAtOf(repository, useClock().now(), timeZone);
  const room =
    capacityBytes === null
      ? `${formatBytes(usedBytes)} used`
      : `${formatRatio(usedRatio)} full, ${formatBytes(freeBytes)} free of ${formatBytes(capacityBytes)}`;
  return (
    <li>
      <span className={styles.what}>
        <span>{name}</span>
        <span className={styles.muted}>{[serverName, room].filter((part) => part !== null).join(' · ')}</span>
      </span>
      <span className={styles.beside}>
        <span className={urgency === null ? undefined : styles[urgency]}>{text}</span>
        {day !== null && <span className={styles.muted}> · {day}</span>}
      </span>
    </li>
  );
}
