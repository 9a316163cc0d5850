import type { InactiveJob } from '@keepwatch/contract/insights/insights';
import { Button } from '@mantine/core';
import { dailyChecks } from '../../entities/places.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { formatDateTime, formatRelative } from '../../kit/format/dates.ts';
import { MenuItem } from '../../kit/panel/menu-item.tsx';
import { Panel } from '../../kit/panel/panel.tsx';
import { useClock } from '../../kit/portal.tsx';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { companyOf } from './company-of.ts';
import styles from './inactive-jobs.module.css';
import { latenessOf } from './lateness.ts';

interface InactiveJobRowProps {
  job: InactiveJob;
  mayIgnore: boolean;
  /** Until when, as ISO text; `null`: for good. */
  onIgnore: (until: string | null) => void;
  onUnignore: () => void;
}

/** How far back to look for runs of a job that has long been inactive. */
const RUNS_DATE = 'Last 90 Days';

export function InactiveJobRow({ job, mayIgnore, onIgnore, onUnignore }: InactiveJobRowProps) {
  const now = useClock().now();
  const lateness = latenessOf(job.expectedAt, now);
  const { timeZone } = useBackupClock();
  return (
    <li className={styles.row} data-ignored={job.isIgnored || undefined}>
      <span className={styles.names}>
        <ScreenLink
          className={styles.job}
          title={job.jobName}
          to={dailyChecks.at({ date: RUNS_DATE, job: [job.jobInstanceUid], state: 'all' })}
          otherwise={companyOf(job)}
        >
          {job.jobName}
        </ScreenLink>
        <span className={styles.company}>{job.companyName ?? 'No company'}</span>
      </span>
      <span className={styles.times}>
        <span className={styles.late} data-late={lateness !== null || undefined} title={expectationOf(job, timeZone)}>
          {lateness ?? 'disabled'}
        </span>
        <span className={styles.company}>{job.isIgnored ? ignoredText(job, timeZone) : lastRunText(job, now)}</span>
      </span>
      {mayIgnore &&
        (job.isIgnored ? (
          <Button variant="default" size="compact-xs" aria-label={`Show ${job.jobName} again`} onClick={onUnignore}>
            Undo
          </Button>
        ) : (
          <IgnoreMenu jobName={job.jobName} now={now} onIgnore={onIgnore} />
        ))}
    </li>
  );
}

const DAY_MS = 86_400_000;
const PERIODS = [
  { label: '1 day', days: 1 },
  { label: '7 days', days: 7 },
  { label: '30 days', days: 30 },
] as const;

function IgnoreMenu({
  jobName,
  now,
  onIgnore,
}: { jobName: string; now: Date } & Pick<InactiveJobRowProps, 'onIgnore'>) {
  return (
    <Panel
      label={`Ignore ${jobName}`}
      align="end"
      trigger={(props) => (
        <Button {...props} variant="default" size="compact-xs" aria-label={`Ignore ${jobName}`}>
          Ignore
        </Button>
      )}
    >
      {(close) => {
        const choose = (until: string | null) => {
          close();
          onIgnore(until);
        };
        return (
          <>
            {PERIODS.map(({ label, days }) => (
              <MenuItem key={label} onClick={() => choose(new Date(now.getTime() + days * DAY_MS).toISOString())}>
                {label}
              </MenuItem>
            ))}
            <MenuItem onClick={() => choose(null)}>Permanently</MenuItem>
          </>
        );
      }}
    </Panel>
  );
}

function lastRunText({ lastStartedAt }: InactiveJob, now: Date): string {
  return lastStartedAt === null ? 'never run' : `last run ${formatRelative(lastStartedAt, now)}`;
}

function ignoredText({ ignoredUntil }: InactiveJob, timeZone: string): string {
  return ignoredUntil === null ? 'ignored permanently' : `ignored until ${formatDateTime(ignoredUntil, timeZone)}`;
}

/** With the day of the week, which says more of a weekly job than its date. */
function expectationOf({ expectedAt }: InactiveJob, timeZone: string): string | undefined {
  if (expectedAt === null) return undefined;
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone });
  return `Was due ${weekday.format(new Date(expectedAt))} ${formatDateTime(expectedAt, timeZone)}`;
}
