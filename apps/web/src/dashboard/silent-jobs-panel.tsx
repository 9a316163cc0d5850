import { ignoreDidntRun } from '@keepwatch/contract/monitoring/job-executions';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../kit/format/numbers.ts';
import { useAllows } from '../kit/portal.tsx';
import { ToggleButton } from '../kit/toggle-button.tsx';
import type { Subject } from './dashboard-filters.ts';
import { DashboardPanel } from './dashboard-panel.tsx';
import { useEmptyText } from './no-matching-jobs.ts';
import { SilentJobRow } from './silent-job-row.tsx';
import { type Silence, useIgnore, useSilentJobs } from './silent-jobs.data.ts';
import styles from './silent-jobs.module.css';

const LOOKS: Readonly<Record<Silence, { title: string; bodyPx: number; emptyText: string }>> = {
  'didnt-run': { title: "Didn't run", bodyPx: 300, emptyText: 'No job is overdue.' },
  disabled: { title: 'Disabled', bodyPx: 344, emptyText: 'No job is disabled.' },
};

/** Jobs of which nothing is heard, and what to do about each: look at its runs, or leave it out for a while. */
export function SilentJobsPanel({ silence, subject }: { silence: Silence; subject: Subject }) {
  const [withIgnored, setWithIgnored] = useState(false);
  const reading = useSilentJobs(silence, subject, withIgnored);
  const { ignore, unignore } = useIgnore(silence);
  const mayIgnore = useAllows(ignoreDidntRun.access);
  const { title, bodyPx, emptyText: allClear } = LOOKS[silence];
  const emptyText = useEmptyText(withIgnored ? allClear : `${allClear} Ignored jobs are not shown.`);
  return (
    <DashboardPanel
      title={title}
      anchor={silence}
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
            <SilentJobRow
              key={job.jobInstanceUid}
              job={job}
              mayIgnore={mayIgnore}
              onIgnore={(until) => ignore.mutate({ job, until })}
              onUnignore={() => unignore.mutate(job)}
            />
          ))}
          {reading.hasNextPage && (
            <li className={styles.more}>
              <Button
                variant="subtle"
                fullWidth
                loading={reading.isFetchingNextPage}
                onClick={() => void reading.fetchNextPage()}
              >
                Show more
              </Button>
            </li>
          )}
        </ul>
      )}
    </DashboardPanel>
  );
}
