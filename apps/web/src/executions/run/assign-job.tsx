import type { JobCandidate, JobExecutionDetail } from '@keepwatch/contract/executions/job-executions';
import { Button } from '@mantine/core';
import { ResultBadge } from '../../entities/result-badge.tsx';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { formatDateTime, formatRelative } from '../../kit/format/dates.ts';
import { formatJobType } from '../../kit/format/job-types.ts';
import { useAssignJob } from './assign-job.data.ts';
import styles from './assign-job.module.css';

interface AssignJobProps {
  run: JobExecutionDetail;
  canEdit: boolean;
  now: Date;
  /** The run has another id once it is assigned. */
  onAssigned: (id: string) => void;
}

/** Lists the jobs that a run may belong to, with what distinguishes them, and assigns the run to one. */
export function AssignJob({ run, canEdit, now, onAssigned }: AssignJobProps) {
  const { mutate, isPending } = useAssignJob(run, onAssigned);
  const { timeZone } = useBackupClock();
  const { confirm, dialog } = useConfirm();
  const assign = async (job: JobCandidate) => {
    const isSure = await confirm({
      title: `Assign to ${labelOf(job)}?`,
      text: `The run of ${formatDateTime(run.startedAt, timeZone)} (${run.companyName ?? 'no company'}) becomes a run of this job. This cannot be undone.`,
      confirmLabel: 'Assign run',
    });
    if (isSure) mutate(job);
  };
  const title = canEdit ? 'Assign to a job' : 'Possible jobs';
  return (
    <section className={styles.section} aria-label={title}>
      <h3>{title}</h3>
      <p className={styles.explanation}>
        This run could not be assigned: {run.sharedBy} jobs of the company share the name. Rename the jobs in the
        console to avoid this.
      </p>
      <ul className={styles.jobs}>
        {run.candidates.map((job) => (
          <li key={job.jobInstanceUid} className={styles.job}>
            <Candidate job={job} now={now} />
            {canEdit && (
              <Button
                variant="default"
                size="xs"
                disabled={isPending}
                aria-label={`Assign to ${labelOf(job)}`}
                onClick={() => void assign(job)}
              >
                Assign
              </Button>
            )}
          </li>
        ))}
      </ul>
      {dialog}
    </section>
  );
}

function labelOf({ jobName, serverName, jobType }: JobCandidate): string {
  return [jobName, serverName, jobType === null ? null : formatJobType(jobType)]
    .filter((text) => text !== null)
    .join(', ');
}

function Candidate({ job, now }: { job: JobCandidate; now: Date }) {
  const { timeZone } = useBackupClock();
  const type = job.jobType === null ? null : formatJobType(job.jobType);
  const facts = [type, job.targetName].filter((text) => text !== null).join(' · ');
  return (
    <div className={styles.facts}>
      <strong>{job.serverName ?? job.jobName}</strong>
      {facts !== '' && <span>{facts}</span>}
      <span className={styles.last} title={formatDateTime(job.lastStartedAt, timeZone)}>
        {job.lastStartedAt === null ? 'Never run' : `Last run ${formatRelative(job.lastStartedAt, now)}`}
        {job.lastResult !== null && <ResultBadge result={job.lastResult} />}
      </span>
    </div>
  );
}
