import type { Computer } from '@keepwatch/contract/inventory/computers';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { useComputersWithoutAgent } from './company-page.data.ts';
import styles from './company-section.module.css';
import { CompanySection } from './company-section.tsx';

/** Computers that nothing backs up, as far as is known. */
export function ComputersSection({ id }: { id: string }) {
  const reading = useComputersWithoutAgent(id);
  const { data } = reading;
  return (
    <CompanySection
      title="Computers without agent"
      note={
        data === undefined || data.total === 0 ? undefined : `${formatCount(data.count)} of ${formatCount(data.total)}`
      }
      reading={reading}
      empty={({ count, total }) => (count > 0 ? null : <p>{nothingText(total)}</p>)}
    >
      {({ data: computers, count }) => (
        <>
          <ul className={styles.list}>
            {computers.map((computer) => (
              <ComputerRow key={computer._id} computer={computer} />
            ))}
          </ul>
          {count > computers.length && (
            <p className={styles.muted}>
              {formatCounted(count - computers.length, 'more computer', 'more computers')}.
            </p>
          )}
        </>
      )}
    </CompanySection>
  );
}

function nothingText(total: number): string {
  if (total === 0) return 'No discovery has found computers of this company. Rules for it are in the console.';
  return total === 1
    ? 'The one computer that was found has an agent.'
    : `All ${formatCount(total)} computers have an agent.`;
}

function ComputerRow({ computer: { hostName, operatingSystem, ipAddresses, lastSeenAt } }: { computer: Computer }) {
  const { timeZone } = useBackupClock();
  const about = [operatingSystem, ipAddresses.join(', ')].filter((part) => part !== null && part !== '');
  return (
    <li>
      <span className={styles.what}>
        <span>{hostName}</span>
        {about.length > 0 && <span className={styles.muted}>{about.join(' · ')}</span>}
      </span>
      {lastSeenAt !== null && <span className={styles.beside}>Last seen {formatDateTime(lastSeenAt, timeZone)}</span>}
    </li>
  );
}
