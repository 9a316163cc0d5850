import { type IntakeToken, type ReportedJob, TEST_TOOL } from '@keepwatch/contract/tool-reports/tool-reports';
import { Button, Loader } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { dailyChecks } from '../../entities/places.ts';
import { ResultBadge } from '../../entities/result-badge.tsx';
import { ScreenLink } from '../../kit/screen-link.tsx';
import styles from '../source-dialog.module.css';
import { useDeleteTestRuns, useReportedJobs, useTestRun } from './first-report.data.ts';

interface FirstReportProps {
  token: string;
  data: IntakeToken;
  jobName: string;
}

/** Waits for what is reported with a new token, and shows it as soon as it is there. */
export function FirstReport({ token, data, jobName }: FirstReportProps) {
  const jobs = useReportedJobs(data._id);
  const { mutate: send, isPending } = useTestRun(token, jobName);
  const hasArrived = jobs.length > 0;
  return (
    <div className={styles.report} data-arrived={hasArrived || undefined}>
      <div role="status" className={styles.reported}>
        {hasArrived ? (
          jobs.map((job) => <Reported key={job.jobInstanceUid} job={job} tokenId={data._id} />)
        ) : (
          <span className={styles.line}>
            <Loader size={14} aria-hidden /> Waiting for the first report…
          </span>
        )}
      </div>
      {!jobs.some(isTest) && (
        <Button variant="default" loading={isPending} onClick={() => send()}>
          Send a test run
        </Button>
      )}
    </div>
  );
}

function isTest({ tool }: ReportedJob): boolean {
  return tool === TEST_TOOL;
}

function Reported({ job, tokenId }: { job: ReportedJob; tokenId: string }) {
  const { jobInstanceUid, jobName, tool, result } = job;
  const { mutate: remove, isPending } = useDeleteTestRuns(tokenId);
  return (
    <span className={styles.line}>
      <IconCircleCheck size={16} aria-hidden className={styles.arrived} />
      <span>
        {tool ?? 'Report'}:{' '}
        <ScreenLink to={dailyChecks.at({ job: [jobInstanceUid], state: 'all', ignored: true })}>{jobName}</ScreenLink>
      </span>
      <ResultBadge result={result} />
      {isTest(job) && (
        <Button variant="subtle" size="compact-xs" loading={isPending} onClick={() => remove()}>
          Remove test run
        </Button>
      )}
    </span>
  );
}
