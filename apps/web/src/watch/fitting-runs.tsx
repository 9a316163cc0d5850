import { FITTING_RUNS_MAX, type FittingRun, phrasesOf, SEARCHED_RUNS_MAX } from '@keepwatch/contract/watch/hints';
import { useDebouncedValue } from '@mantine/hooks';
import { ResultBadge } from '../entities/result-badge.tsx';
import { messageOf } from '../kit/api.ts';
import { useBackupClock } from '../kit/backup-clock.ts';
import { formatDateTime } from '../kit/format/dates.ts';
import { formatCount } from '../kit/format/numbers.ts';
import { bodyOf, type HintDraft } from './hint-draft.ts';
import { useFittingRuns } from './hints.data.ts';
import styles from './hints.module.css';

/** A person who types pauses longer than this between words. */
const PAUSE_MS = 400;

/** How many runs a hint would be shown for, and the newest of them, while its condition is written. */
export function FittingRuns({ draft }: { draft: HintDraft }) {
  const { words, result, sourceGroups, jobTypes } = bodyOf(draft);
  const asked = { words, sourceGroups, jobTypes, ...(result === undefined ? {} : { result }) };
  const [text] = useDebouncedValue(JSON.stringify(asked), PAUSE_MS);
  const condition: typeof asked = JSON.parse(text);
  const hasCondition = phrasesOf(condition.words).length > 0 || condition.result !== undefined;
  const { data, error, isFetching } = useFittingRuns(condition, hasCondition);
  if (!hasCondition) return null;
  return (
    <section className={styles.fitting} aria-label="Runs that fit" aria-busy={isFetching}>
      <p role="status">{error === null ? countText(data) : messageOf(error)}</p>
      <ul>{error === null && data?.data.map((run) => <Run key={run._id} run={run} />)}</ul>
    </section>
  );
}

function Run({ run: { jobName, companyName, startedAt, result, message } }: { run: FittingRun }) {
  const { timeZone } = useBackupClock();
  return (
    <li>
      <ResultBadge result={result} />{' '}
      {[jobName, companyName, formatDateTime(startedAt, timeZone)].filter(Boolean).join(' · ')}
      <span className={styles.message} title={message ?? undefined}>
        {message}
      </span>
    </li>
  );
}

function countText(found: { count: number; searched: number } | undefined): string {
  if (found === undefined) return 'Looking for runs of the last 30 days …';
  const { count, searched } = found;
  // Of more runs only the newest are looked at.
  const of = searched < SEARCHED_RUNS_MAX ? 'of the last 30 days' : `among the last ${formatCount(searched)}`;
  if (count === 0) return `Fits no run ${of}`;
  if (count >= FITTING_RUNS_MAX) return `Fits ${formatCount(FITTING_RUNS_MAX)} or more runs ${of}`;
  return count === 1 ? `Fits 1 run ${of}` : `Fits ${formatCount(count)} runs ${of}`;
}
