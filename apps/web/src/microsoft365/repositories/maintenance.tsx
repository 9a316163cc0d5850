import type { MaintenancePlan, MaintenanceRun } from '@keepwatch/contract/microsoft365/maintenance';
import type { Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ResultBadge } from '../../entities/result-badge.tsx';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import styles from '../microsoft365.module.css';
import { type MaintenanceStart, useMaintenance, useStartMaintenance, useStopMaintenance } from './maintenance.data.ts';
import { MaintenancePlanForm } from './maintenance-plan-form.tsx';
import { PLAN_TITLES, planText, runTitle } from './maintenance-words.ts';

interface MaintenanceProps {
  repository: Microsoft365Repository;
  onClose: () => void;
}

/** When a repository is verified and pruned, what that found, and both at once. */
export default function Maintenance({ repository, onClose }: MaintenanceProps) {
  const { id, name, retentionPolicy } = repository;
  const { data, error } = useMaintenance(id);
  const [edited, setEdited] = useState<MaintenancePlan | null>(null);
  if (edited !== null) return <MaintenancePlanForm id={id} plan={edited} onClose={() => setEdited(null)} />;
  return (
    <Dialog size="xl" title={`Verify and prune ${name}`} onClose={onClose}>
      {error !== null && <p role="alert">{error.message}</p>}
      <Starts id={id} isForever={retentionPolicy === null} isRunning={data?.runs[0]?.status === 'Running'} />
      <Facts title="Schedule">
        {data?.plans.map((plan) => (
          <Fact key={plan.kind} term={PLAN_TITLES[plan.kind]}>
            {planText(plan)}{' '}
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={`Change ${PLAN_TITLES[plan.kind].toLowerCase()}`}
              onClick={() => setEdited(plan)}
            >
              Change
            </Button>
          </Fact>
        ))}
      </Facts>
      <Runs runs={data?.runs ?? []} />
    </Dialog>
  );
}

interface StartsProps {
  id: string;
  isForever: boolean;
  isRunning: boolean;
}

function Starts({ id, isForever, isRunning }: StartsProps) {
  const { mutate, isPending } = useStartMaintenance(id);
  const stop = useStopMaintenance(id);
  const choices: { text: string; start: MaintenanceStart; isOff: boolean }[] = [
    { text: 'Verify now', start: { kind: 'verify', dryRun: false }, isOff: false },
    { text: 'Show what a prune removes', start: { kind: 'prune', dryRun: true }, isOff: isForever },
    { text: 'Prune now', start: { kind: 'prune', dryRun: false }, isOff: isForever },
  ];
  return (
    <>
      <div className={styles.actions}>
        {choices.map(({ text, start, isOff }) => (
          <Button
            key={text}
            variant="default"
            size="compact-sm"
            disabled={isPending || isRunning || isOff}
            onClick={() => mutate(start)}
          >
            {text}
          </Button>
        ))}
        {isRunning && (
          <Button
            variant="default"
            color="red"
            size="compact-sm"
            loading={stop.isPending}
            onClick={() => stop.mutate()}
          >
            Stop
          </Button>
        )}
      </div>
      {isForever && <p className={styles.note}>Everything is retained forever, so there is nothing to prune.</p>}
    </>
  );
}

function Runs({ runs }: { runs: readonly MaintenanceRun[] }) {
  if (runs.length === 0) return <p className={styles.note}>No runs yet.</p>;
  return (
    <section>
      <h3>Runs</h3>
      {runs.map((run, index) => (
        <details key={run.id} open={index === 0}>
          <summary>
            <ResultBadge result={run.status} /> {runTitle(run)}, {formatDateTime(run.startTime)}
          </summary>
          <ul aria-label={`Findings of ${formatDateTime(run.startTime)}`}>
            {run.findings.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
