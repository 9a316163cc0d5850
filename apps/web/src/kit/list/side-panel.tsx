import { CloseButton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { capital } from '../format/words.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { ErrorState } from '../states/error-state.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import styles from './side-panel.module.css';

interface SidePanelProps<T> {
  /** What it shows one of, in lower case: `company`. */
  noun: string;
  /** The query that reads it. */
  read: { data: T | undefined; error: unknown; refetch: () => unknown };
  titleOf: (item: T) => string;
  onClose: () => void;
  children: (item: T) => ReactNode;
}

/** One row of a list, beside it. Escape closes it. */
export function SidePanel<T>({ noun, read: { data, error, refetch }, titleOf, onClose, children }: SidePanelProps<T>) {
  const headingId = useId();
  useShortcut('Escape', `Close the ${noun}`, onClose);
  const isWaiting = data === undefined && error === null;
  return (
    <aside className={styles.panel} aria-labelledby={headingId} aria-busy={isWaiting}>
      <header className={styles.head}>
        <h2 id={headingId} aria-live="polite">
          {data === undefined ? capital(noun) : titleOf(data)}
        </h2>
        <CloseButton aria-label={`Close the ${noun}`} onClick={onClose} />
      </header>
      {data !== undefined && <div className={styles.body}>{children(data)}</div>}
      {isWaiting && <SkeletonRows rows={8} />}
      {data === undefined && error !== null && (
        <ErrorState what={`this ${noun}`} error={error} onRetry={() => void refetch()} />
      )}
    </aside>
  );
}
