import type { CompanyDetail } from '@keepwatch/contract/companies/companies';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime, formatRelative } from '../../kit/format/dates.ts';
import { formatBytes, formatCount, formatRuns } from '../../kit/format/numbers.ts';
import { useClock } from '../../kit/portal.tsx';
import styles from './company-details.module.css';

const CONSOLES = [
  ['vac', 'Service Provider Console'],
  ['vcd', 'Cloud Director'],
  ['zerto', 'Zerto'],
] as const;

/** What is known of a company: contact, size, and its ids in the vendors' consoles. */
export function CompanyFacts({ company }: { company: CompanyDetail }) {
  const now = useClock().now();
  const { timeZone } = useBackupClock();
  const { email, phone, serviceProvider, jobs, disabledJobs, lastRunAt, backupSizeBytes, applications, links } =
    company;
  return (
    <>
      <Facts title="Contact">
        <Fact term="E-mail">{email === null ? null : <a href={`mailto:${email}`}>{email}</a>}</Fact>
        <Fact term="Phone">{phone === null ? null : <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>}</Fact>
        <Fact term="Provider">{serviceProvider}</Fact>
        <Fact term="Status">
          {company.isActive ? 'Active' : 'Inactive'}, {company.isManaged ? 'managed' : 'not managed'}
        </Fact>
      </Facts>
      <Facts title="Backup">
        <Fact term="Jobs">
          {formatCount(jobs)}
          {disabledJobs > 0 && `, ${formatCount(disabledJobs)} of them disabled`}
        </Fact>
        <Fact term="Last run">
          <span title={formatDateTime(lastRunAt, timeZone)}>{formatRelative(lastRunAt, now)}</span>
        </Fact>
        <Fact term="Pending">{`${formatRuns(company.pending)} in the last 30 days`}</Fact>
        <Fact term="Size">{formatBytes(backupSizeBytes)}</Fact>
      </Facts>
      {links.length > 0 && (
        <Facts title="Linked to">
          {links.map(({ connectionId, connectionName, externalId }) => (
            <Fact key={connectionId} term={connectionName}>
              <code className={styles.id}>{externalId}</code>
            </Fact>
          ))}
        </Facts>
      )}
      <Facts title="External IDs">
        {CONSOLES.map(([kind, name]) => (
          <Fact key={kind} term={name}>
            {applications[kind].id === null ? null : <code className={styles.id}>{applications[kind].id}</code>}
          </Fact>
        ))}
      </Facts>
    </>
  );
}
