import { hasFeature } from '@keepwatch/contract/microsoft365/engines';
import type { Microsoft365Job } from '@keepwatch/contract/microsoft365/jobs';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { jobWizard } from '../../entities/places.ts';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { capital } from '../../kit/format/words.ts';
import { SidePanel } from '../../kit/list/side-panel.tsx';
import { useGo } from '../../kit/screen-link.tsx';
import styles from '../microsoft365.module.css';
import { ProofFacts } from '../proofs/proof-facts.tsx';
import { JobSessions } from './job-sessions.tsx';
import { scheduleText, scopeText } from './job-words.ts';
import { useDeleteJob, useJob, useJobAction } from './jobs.data.ts';
import { StartStop } from './start-stop.tsx';

const Proofs = lazy(() => import('../proofs/proofs.tsx'));
const JobNotifications = lazy(() => import('./job-notifications.tsx'));

/** One job beside the list: what it does, its last run, and those before it. */
export function JobPanel({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <SidePanel noun="job" read={useJob(id)} titleOf={({ name }) => name} onClose={onClose}>
      {(job) => (
        <>
          <Actions job={job} onDeleted={onClose} />
          <JobFacts job={job} />
          <JobSessions jobId={job.id} />
        </>
      )}
    </SidePanel>
  );
}

function JobFacts({ job }: { job: Microsoft365Job }) {
  const { runAuto, timeZone } = job.schedulePolicy;
  return (
    <>
      <Facts title="Job" hidesUnknown>
        <Fact term="Selection">{capital(scopeText(job))}</Fact>
        <Fact term="Schedule">{scheduleText(job.schedulePolicy)}</Fact>
        <Fact term="Time zone">{runAuto ? timeZone : null}</Fact>
        <Fact term="Next run">{job.isEnabled ? formatDateTime(job.nextRun) : 'Disabled'}</Fact>
        <Fact term="Repository">{job.repositoryName}</Fact>
        <Fact term="Restore points">{formatCount(job.restorePoints)}</Fact>
        <Fact term="Organization">{job.organizationName}</Fact>
        <Fact term="Company">{job.companyName}</Fact>
        <Fact term="Description">{job.description || null}</Fact>
      </Facts>
      {hasFeature(job.engine, 'proofs') && <ProofFacts proof={job.lastProof} />}
    </>
  );
}

function Actions({ job, onDeleted }: { job: Microsoft365Job; onDeleted: () => void }) {
  const [isNotifying, setNotifying] = useState(false);
  const [isProving, setProving] = useState(false);
  const go = useGo();
  const act = useJobAction(job);
  const remove = useDeleteJob({ onDone: onDeleted });
  const { confirm, dialog } = useConfirm();
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete ${job.name}?`,
      text: `${job.organizationName} is no longer backed up by it. Its restore points stay until their retention ends.`,
      confirmLabel: 'Delete job',
      isDanger: true,
    });
    if (isSure) remove.mutate(job);
  };
  return (
    <div className={styles.actions}>
      <StartStop job={job} />
      <Button
        variant="default"
        size="compact-sm"
        loading={act.isPending}
        onClick={() => act.mutate(job.isEnabled ? 'disable' : 'enable')}
      >
        {job.isEnabled ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => go(jobWizard.at({ step: '1' }, { job: job.id }))}>
        Edit
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => setNotifying(true)}>
        Notifications
      </Button>
      {hasFeature(job.engine, 'proofs') && (
        <Button variant="default" size="compact-sm" onClick={() => setProving(true)}>
          Proofs
        </Button>
      )}
      <Button variant="default" color="red" size="compact-sm" loading={remove.isPending} onClick={() => void ask()}>
        Delete…
      </Button>
      {dialog}
      <Suspense fallback={null}>
        {isNotifying && <JobNotifications job={job} onClose={() => setNotifying(false)} />}
        {isProving && <Proofs job={job} onClose={() => setProving(false)} />}
      </Suspense>
    </div>
  );
}
