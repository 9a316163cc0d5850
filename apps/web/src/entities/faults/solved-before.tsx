import type { SolvedBefore as Solved } from '@keepwatch/contract/executions/job-executions';
import { Button } from '@mantine/core';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { useClock } from '../../kit/portal.tsx';
import styles from './solved-before.module.css';

interface SolvedBeforeProps {
  /** What solved the same cause before; `null` where nothing did. */
  solved: Solved | null;
  /** Puts the note where the next one is written; without it there is no button. */
  onUse?: ((note: string) => void) | undefined;
}

/** How the same cause was solved the last time, in the words of who did it. */
export function SolvedBefore({ solved, onUse }: SolvedBeforeProps) {
  const { timeZone } = useBackupClock();
  const now = useClock().now();
  if (solved === null) return null;
  const { why, by, at, note, jobName, companyName } = solved;
  return (
    <section className={styles.solved} aria-label="Solved before">
      <p className={styles.sentence}>
        {why === 'message' ? 'This message' : 'This cause'} was last solved by <strong>{by}</strong> on{' '}
        <time dateTime={at}>{dayText(at, now, timeZone)}</time>
        <span className={styles.where}> ({[jobName, companyName].filter((name) => name !== null).join(', ')})</span>:
      </p>
      <blockquote className={styles.note}>{note}</blockquote>
      {onUse !== undefined && (
        <Button variant="default" size="compact-sm" onClick={() => onUse(note)}>
          Use this note
        </Button>
      )}
    </section>
  );
}

/** `Nov 3`; of another year `Nov 3, 2025`. */
function dayText(at: string, now: Date, timeZone: string): string {
  const text = (moment: Date, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...parts, timeZone }).format(moment);
  const [moment, year] = [new Date(at), { year: 'numeric' } as const];
  const isThisYear = text(moment, year) === text(now, year);
  return text(moment, { month: 'short', day: 'numeric', ...(isThisYear ? {} : year) });
}
