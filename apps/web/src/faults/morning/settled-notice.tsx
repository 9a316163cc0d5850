import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import styles from './settled-notice.module.css';

/** So long the person can read what happened before the next fault comes. */
const READ_MS = 3_000;

interface SettledNoticeProps {
  text: string;
  /** A note is being written: the person decides when to go on. */
  isWriting: boolean;
  onGoOn: () => void;
}

/** Says that there is nothing to do with this fault any more, and goes on. */
export function SettledNotice({ text, isWriting, onGoOn }: SettledNoticeProps) {
  const latest = useRef(onGoOn);
  useEffect(() => {
    latest.current = onGoOn;
  });
  useEffect(() => {
    if (isWriting) return;
    const timer = setTimeout(() => latest.current(), READ_MS);
    return () => clearTimeout(timer);
  }, [isWriting]);
  return (
    <div className={styles.notice} role="status">
      <span>
        {text} {isWriting ? 'Your note is not saved.' : 'Going on…'}
      </span>
      <Button variant="default" size="compact-sm" title="Go on (j)" onClick={onGoOn}>
        Go on
      </Button>
    </div>
  );
}
