import { type CompanyDetail, exportCompanyJobs } from '@keepwatch/contract/companies/companies';
import { FAULT_KINDS, type FaultKind } from '@keepwatch/contract/faults/values';
import { Button } from '@mantine/core';
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs';
import { KIND_WORDS } from '../../entities/faults/fault-texts.ts';
import { notReadText, useStoppedSources } from '../../entities/stopped-sources.data.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { ExportButton } from '../../kit/export/export-button.tsx';
import { useCsvExport } from '../../kit/export/use-csv-export.ts';
import { Figure } from '../../kit/facts/figure.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { useBranding, useClock } from '../../kit/portal.tsx';
import styles from './company.module.css';

/** Which company, how it is in two figures, and what can be printed or saved of it. */
export function CompanyHead({ company }: { company: CompanyDetail }) {
  const { name, isActive, isManaged, jobs, openFaults } = company;
  const about = [
    formatCounted(jobs, 'job', 'jobs'),
    ...(isActive ? [] : ['inactive']),
    ...(isManaged ? [] : ['not managed']),
  ];
  return (
    <header className={styles.head}>
      <div className={styles.titleRow}>
        <h2>{name}</h2>
        <span className={styles.muted}>{about.join(' · ')}</span>
        <Buttons company={company} />
      </div>
      <Printed />
      <div className={styles.figures}>
        <div className={styles.days}>
          <DaysWithoutFine company={company} />
        </div>
        {FAULT_KINDS.map((kind) => (
          <Figure
            key={kind}
            label={KIND_WORDS[kind]}
            hint={HINTS[kind]}
            value={<Count count={openFaults[kind]} kind={kind} />}
          />
        ))}
      </div>
    </header>
  );
}

const HINTS: Readonly<Record<FaultKind, string>> = {
  failed: 'Jobs whose last run failed',
  missed: 'Jobs whose last expected run did not happen',
  doubtful: 'Jobs whose last run is reported as a success, but is unusual',
  warning: 'Jobs whose last run ended with a warning',
};
const TONES: Readonly<Record<FaultKind, string>> = {
  failed: 'failed',
  missed: 'missed',
  doubtful: 'warning',
  warning: 'warning',
};

function Count({ count, kind }: { count: number; kind: FaultKind }) {
  const style = count === 0 ? {} : { color: `var(--status-${TONES[kind]})` };
  return (
    <span className={count === 0 ? styles.none : undefined} style={style}>
      {formatCount(count)}
    </span>
  );
}

/** The figure that a customer understands: since when there is something of which nothing good was stored. */
function DaysWithoutFine({ company: { _id: id, longestWithoutFine, jobs } }: { company: CompanyDetail }) {
  if (jobs === 0)
    return <Figure label={WITHOUT} value={<span className={styles.none}>–</span>} notes={['No jobs yet']} />;
  if (longestWithoutFine === null) return <NoDaysWithoutFine id={id} />;
  const { jobName, days } = longestWithoutFine;
  const text = days === null ? 'Never had one' : formatCounted(days, 'day', 'days');
  return <Figure label={WITHOUT} value={<span className={styles.bad}>{text}</span>} notes={[`Longest: ${jobName}`]} />;
}

const WITHOUT = 'Without a good restore point';

/** It is good only where all sources were read: what is not known may have failed since. */
function NoDaysWithoutFine({ id }: { id: string }) {
  const { timeZone } = useBackupClock();
  const isRead = notReadText(useStoppedSources({ companyIds: [id] }), timeZone) === null;
  const value = <span className={isRead ? styles.good : styles.none}>0 days</span>;
  return (
    <Figure label={WITHOUT} value={value} notes={[isRead ? 'Every job has one' : 'As far as its sources were read']} />
  );
}

function Buttons({ company: { _id: id, jobs } }: { company: CompanyDetail }) {
  const exported = useCsvExport(exportCompanyJobs, {
    name: 'CompanyJobs',
    noun: jobs === 1 ? 'job' : 'jobs',
    input: { params: { id }, body: { format: 'csv' } },
    count: jobs,
  });
  return (
    <div className={styles.buttons}>
      <Button
        variant="default"
        leftSection={<IconPrinter size={15} stroke={1.6} aria-hidden />}
        onClick={() => window.print()}
      >
        Print
      </Button>
      <ExportButton exported={exported} count={jobs} />
    </div>
  );
}

/** On paper: by whom and when. */
function Printed() {
  const { name } = useBranding();
  const { timeZone } = useBackupClock();
  const now = useClock().now();
  return (
    <p className={styles.printed}>
      {name} · {formatDateTime(now.toISOString(), timeZone)} ({timeZone})
    </p>
  );
}
