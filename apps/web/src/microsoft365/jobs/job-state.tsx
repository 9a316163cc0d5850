import type { JobSession, Microsoft365Job } from '@keepwatch/contract/microsoft365/jobs';
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs';
import { ResultBadge } from '../../entities/result-badge.tsx';
import { Badge } from '../../kit/badges/badge.tsx';
import { formatRelative } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { useNow } from '../../kit/use-now.ts';

/** Whether a job runs now. */
export function isRunning({ lastSession }: Pick<Microsoft365Job, 'lastSession'>): boolean {
  return lastSession?.status === 'Running';
}

/** How the last run of a job ended, or how far the present one is. */
export function JobState({ job }: { job: Microsoft365Job }) {
  const { lastSession, isEnabled } = job;
  if (lastSession?.status === 'Running') return <SessionProgress session={lastSession} />;
  if (!isEnabled) return <Badge tone="neutral" icon={IconPlayerPause} word="Disabled" />;
  return lastSession === null ? 'Never run' : <ResultBadge result={lastSession.status} />;
}

/** `42% · 12 MB/s · ends in 10 minutes`, with a bar. */
export function SessionProgress({ session }: { session: JobSession }) {
  const { progress, statistics, expectedEndTime } = session;
  const end = useNow((now) => endText(expectedEndTime, now));
  const rate = statistics.processingRateBytesPS;
  const parts = [
    progress === null ? beginText(session) : `${progress}%`,
    rate === null ? '' : `${formatBytes(rate)}/s`,
    end,
  ].filter((part) => part !== '');
  return (
    <ProgressBar
      ratio={progress === null ? null : progress / 100}
      tone="running"
      text={parts.join(' · ')}
      title={parts.join(' · ')}
    />
  );
}

/** Before it is known how much there is. A proxy that is offline, or busy, lets it wait. */
const beginText = ({ proxyName }: JobSession) => (proxyName === null ? 'Waiting for a worker' : 'Running');

/** `ends in 10 minutes`; an estimate that has nearly passed is none any more. */
function endText(expectedEndTime: string | null, now: Date): string {
  if (expectedEndTime === null) return '';
  const isNear = Date.parse(expectedEndTime) - now.getTime() < 60_000;
  return isNear ? 'ends soon' : `ends ${formatRelative(expectedEndTime, now)}`;
}
