import { Button } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { messageOf } from '../api.ts';
import { Notice } from './notice.tsx';

interface ErrorStateProps {
  error: unknown;
  /** What could not be loaded, within a sentence: `the runs`. */
  what?: string;
  onRetry: () => void;
}

/** In the place of something that could not be loaded, with another attempt. */
export function ErrorState({ error, what = 'this', onRetry }: ErrorStateProps) {
  return (
    <Notice
      isAlert
      title={`Could not load ${what}`}
      text={messageOf(error)}
      icon={<IconAlertTriangle size={24} aria-hidden />}
    >
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  );
}
