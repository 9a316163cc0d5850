import type { CompanyDetail } from '@keepwatch/contract/companies/companies';
import type { Fault } from '@keepwatch/contract/faults/faults';
import { STATUS } from '../../entities/daily-checks.ts';
import { reasonOf } from '../../entities/faults/fault-texts.ts';
import { KindBadge } from '../../entities/faults/kind-badge.tsx';
import { LastResults } from '../../entities/faults/last-results.tsx';
import { dailyChecks, queue, sources } from '../../entities/places.ts';
import { notReadText, useStoppedSources } from '../../entities/stopped-sources.data.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { useOpenFaults } from './company-page.data.ts';
import { CompanySection } from './company-section.tsx';
import styles from './faults-section.module.css';

/** What is open, the worst first, with the reason and the last results of each job. */
export function FaultsSection({ company: { _id: id, jobs } }: { company: CompanyDetail }) {
  const reading = useOpenFaults(id);
  const { count = 0, data = [] } = reading.data ?? {};
  return (
    <CompanySection
      isWide
      title="Open faults"
      note={count > data.length ? `${data.length} of ${formatCount(count)}` : undefined}
      reading={reading}
      actions={<ScreenLink to={queue.at({ company: [id] })}>Work through</ScreenLink>}
      empty={(found) => (found.count > 0 ? null : <NoFaults id={id} jobs={jobs} />)}
    >
      {(found) => (
        <ul className={styles.faults}>
          {found.data.map((fault) => (
            <FaultRow key={fault._id} fault={fault} />
          ))}
        </ul>
      )}
    </CompanySection>
  );
}

function NoFaults({ id, jobs }: { id: string; jobs: number }) {
  const stopped = useStoppedSources({ companyIds: [id] });
  const { timeZone } = useBackupClock();
  const notRead = notReadText(stopped, timeZone);
  if (jobs > 0 && notRead !== null) return <p>{`No open faults. ${notRead}`}</p>;
  if (jobs > 0) return <p>No open faults: the last run of every job was fine, or was dealt with.</p>;
  return (
    <>
      <p>No jobs of this company yet. They come from a connected console, or report through a token.</p>
      <ScreenLink to={sources.at()}>Sources</ScreenLink>
    </>
  );
}

function FaultRow({ fault }: { fault: Fault }) {
  const { jobInstanceUid, jobName, kind, lastResults, note } = fault;
  const reason = reasonOf(fault);
  return (
    <li className={styles.fault}>
      <KindBadge kind={kind} />
      <div className={styles.job}>
        <ScreenLink to={dailyChecks.at({ job: [jobInstanceUid], ...STATUS })} title={jobName}>
          {jobName}
        </ScreenLink>
        <Since fault={fault} />
      </div>
      <LastResults results={lastResults} />
      <div className={styles.reason}>
        <p className={styles.lines} title={reason}>
          {reason}
        </p>
        {note !== null && (
          <p className={styles.note} title={note}>
            Note: {note}
          </p>
        )}
      </div>
    </li>
  );
}

/** Since when, for how long without a good restore point, and who is on it. */
function Since({ fault: { openedAt, daysWithoutFine, fineAt, state, changedBy } }: { fault: Fault }) {
  const { timeZone } = useBackupClock();
  const [day = ''] = formatDateTime(openedAt, timeZone).split(' ');
  const days = daysWithoutFine ?? 0;
  const parts = [
    `Since ${day}`,
    ...(fineAt === null ? ['never fine'] : []),
    ...(days > 0 ? [`last fine ${formatCounted(days, 'day', 'days')} ago`] : []),
    ...(state === 'in-progress' ? [`in progress${changedBy === null ? '' : ` by ${changedBy}`}`] : []),
  ];
  return <span className={styles.muted}>{parts.join(' · ')}</span>;
}
