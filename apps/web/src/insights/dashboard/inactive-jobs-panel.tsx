import { ignoreDidntRun } from '@keepwatch/contract/executions/inactive-jobs';
import { useState } from 'react';
import { DashboardPanel } from '../../kit/dashboard/dashboard-panel.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import { ShowMore } from '../../kit/list/show-more.tsx';
import { useAllows } from '../../kit/portal.tsx';
import { ToggleButton } from '../../kit/toggle-button.tsx';
import type { Subject } from './dashboard-filters.ts';
import { InactiveJobRow } from './inactive-job-row.tsx';
import { type Inactivity, useIgnore, useInactiveJobs } from './inactive-jobs.data.ts';
import styles from './inactive-jobs.module.css';
import { useEmptyText } from './no-matching-jobs.ts';

const LOOKS: Readonly<Record<Inactivity, { title: string; bodyPx: number; emptyText: string }>> = {
  'didnt-run': { title: "Didn't run", bodyPx: 344, emptyText: 'No job is overdue.' },
  disabled: { title: 'Disabled', bodyPx: 344, emptyText: 'No job is disabled.' },
};

/** Jobs that do not run, and what to do about each: look at its runs, or ignore it for a while. */
export function InactiveJobsPanel({ inactivity, subject }: { inactivity: Inactivity; subject: Subject }) {
  const [withIgnored, setWithIgnored] = useState(false);
  const reading = useInactiveJobs(inactivity, subject, withIgnored);
  const { ignore, unignore } = useIgnore(inactivity);
  const mayIgnore = useAllows(ignoreDidntRun.access);
  const { title, bodyPx, emptyText: allClear } = LOOKS[inactivity];
  const emptyText = useEmptyText(withIgnored ? allClear : `${allClear} Ignored jobs are not shown.`);
  return (
    <DashboardPanel
      title={title}
      anchor={inactivity}
      note={reading.data === undefined ? undefined : formatCount(reading.data.count)}
      columns={4}
      bodyPx={bodyPx}
      reading={reading}
      emptyText={({ jobs }) => (jobs.length === 0 ? emptyText : null)}
      actions={
        <ToggleButton isOn={withIgnored} onChange={setWithIgnored}>
          Show ignored
        </ToggleButton>
      }
    >
      {({ jobs }) => (
        <ul className={styles.list}>
          {jobs.map((job) => (
            <InactiveJobRow
              key={job.jobInstanceUid}
              job={job}
              mayIgnore={mayIgnore}
              onIgnore={(until) => ignore.mutate({ job, until })}
              onUnignore={() => unignore.mutate(job)}
            />
          ))}
          <ShowMore reading={reading} />
        </ul>
      )}
    </DashboardPanel>
  );
}
