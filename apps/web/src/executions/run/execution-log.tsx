import type { JobExecutionDetail } from '@keepwatch/contract/executions/job-executions';
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { formatDateTime, formatTime } from '../../kit/format/dates.ts';
import { useToasts } from '../../kit/portal.tsx';
import styles from './execution-log.module.css';

type Log = JobExecutionDetail['log'];

const LEVEL_WORDS = { info: 'Info', warning: 'Warning', error: 'Error' };

/** The run's log as the source wrote it. The first error is one step away, however long the log. */
export function ExecutionLog({ log, isRunning }: { log: Log; isRunning: boolean }) {
  const listRef = useRef<HTMLOListElement>(null);
  const copy = useCopy(log);
  const { timeZone } = useBackupClock();
  if (log.length === 0) {
    return (
      <section aria-label="Log">
        <h3>Log</h3>
        <p className={styles.none}>{isRunning ? 'Still running, no log yet.' : 'No log available.'}</p>
      </section>
    );
  }
  const errors = log.filter(({ level }) => level === 'error').length;
  const goToError = () => {
    const first = listRef.current?.querySelector<HTMLElement>('[data-level="error"]');
    first?.focus({ preventScroll: true });
    first?.scrollIntoView?.({ block: 'center' });
  };
  return (
    <section className={styles.section} aria-label="Log">
      <div className={styles.head}>
        <h3>{`Log (${log.length} ${log.length === 1 ? 'line' : 'lines'})`}</h3>
        {errors > 0 && (
          <Button variant="subtle" onClick={goToError}>
            {errors === 1 ? 'Jump to error' : 'Jump to first error'}
          </Button>
        )}
        <Button variant="subtle" onClick={copy}>
          Copy
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <ol ref={listRef} className={styles.list} tabIndex={0} aria-label="Lines of the log">
        {log.map(({ at, level, text }, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of a log has its place and nothing else
          <li key={line} className={styles.line} data-level={level} tabIndex={-1}>
            <time className={styles.time} title={at === null ? undefined : formatDateTime(at, timeZone)}>
              {formatTime(at, timeZone)}
            </time>
            <span className={styles.level}>{LEVEL_WORDS[level]}</span>
            <span className={styles.text}>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function useCopy(log: Log): () => void {
  const toasts = useToasts();
  return () => {
    const text = log.map((line) => `${line.at ?? '-'}\t${LEVEL_WORDS[line.level]}\t${line.text}`).join('\n');
    navigator.clipboard.writeText(text).then(
      () => toasts.success('The log was copied to the clipboard.'),
      () => toasts.error('The browser did not allow copying. Select the text and copy it by hand.'),
    );
  };
}
