import { Button } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { messageOf } from '../api.ts';
import { Notice } from './notice.tsx';

/** In the place of something that could not be read, with a second try. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <Notice
        title="This could not be loaded"
        text={messageOf(error)}
        icon={<IconAlertTriangle size={24} aria-hidden />}
      >
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Notice>
    </div>
  );
}
