import { ActionIcon } from '@mantine/core';
import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs';
import { lazy, Suspense } from 'react';
import { Panel } from '../../kit/panel/panel.tsx';

const ActivityList = lazy(() => import('./activity-list.tsx'));

/** What is under way in Microsoft 365, from every screen of it: backups, restores and downloads. */
export function Activity() {
  return (
    <Panel
      label="Activity"
      align="end"
      trigger={(props) => (
        <ActionIcon {...props} aria-label="Activity" title="Activity">
          <IconActivity size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    >
      {(close) => (
        <Suspense fallback={null}>
          <ActivityList onLeave={close} />
        </Suspense>
      )}
    </Panel>
  );
}
