import type { JobSession } from '@keepwatch/contract/microsoft365/jobs';
import { useState } from 'react';
import { ResultBadge } from '../../entities/result-badge.tsx';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatDuration } from '../../kit/format/durations.ts';
import { formatBytes, formatCount } from '../../kit/format/numbers.ts';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import styles from '../microsoft365.module.css';
import { SessionProgress } from './job-state.tsx';
import { useLiveJobs, useSessions } from './jobs.data.ts';
import { SessionHistory } from './session-history.tsx';
import { SessionLog } from './session-log.tsx';

/** The runs of a job as a picture, and one of them in full: the last, unless another is chosen. */
export function JobSessions({ jobId }: { jobId: string }) {
  const { data, error, refetch } = useSessions(jobId);
  const [chosen, setChosen] = useState<string | null>(null);
  useLiveJobs(data?.data?.status === 'Running');
  if (data === undefined && error !== null)
    return <ErrorState what="the runs" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={5} />;
  const sessions = data.data === null ? [] : [data.data, ...data.history];
  const session = sessions.find(({ id }) => id === chosen) ?? data.data;
  if (session === null) return <p className={styles.note}>It has not run yet.</p>;
  return (
    <>
      <SessionHistory sessions={sessions} chosen={session.id} onChoose={setChosen} />
      <SessionFacts session={session} isLatest={session.id === data.data?.id} />
      <SessionLog key={session.id} session={session} />
    </>
  );
}

function SessionFacts({ session, isLatest }: { session: JobSession; isLatest: boolean }) {
  const { statistics, creationTime, endTime, status, details, proxyName } = session;
  const durationMs = endTime === null ? null : Date.parse(endTime) - Date.parse(creationTime);
  const { processedObjects, objectsTotal } = statistics;
  return (
    <Facts title={isLatest ? 'Last run' : 'Run'}>
      <Fact term="Result">
        {status === 'Running' ? <SessionProgress session={session} /> : <ResultBadge result={status} />}
      </Fact>
      {details !== null && <Fact term="Message">{details}</Fact>}
      <Fact term="Started">{formatDateTime(creationTime)}</Fact>
      {durationMs !== null && <Fact term="Duration">{formatDuration(durationMs)}</Fact>}
      <Fact term="Objects">
        {objectsTotal === null
          ? formatCount(processedObjects)
          : `${formatCount(processedObjects)} of ${formatCount(objectsTotal)}`}
      </Fact>
      <Fact term="Items read">{formatCount(statistics.itemsRead)}</Fact>
      <Fact term="Failed">{formatCount(statistics.itemsLost)}</Fact>
      <Fact term="Skipped">{formatCount(statistics.itemsSkipped)}</Fact>
      <Fact term="Removed">{formatCount(statistics.itemsRemoved)}</Fact>
      <Fact term="Transferred">{formatBytes(statistics.transferredDataBytes)}</Fact>
      <Fact term="Stored">{formatBytes(statistics.storedBytes)}</Fact>
      <Fact term="Worker">{proxyName}</Fact>
    </Facts>
  );
}
