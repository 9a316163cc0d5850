import { ActionIcon } from '@mantine/core';
import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs';
import { Panel } from '../../kit/panel/panel.tsx';
import { ActivityList } from './activity-list.tsx';

/** What is under way in Microsoft 365, from every screen of it: backups, restores and downloads. */
export default function Activity() {
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
      {(close) => <ActivityList onLeave={close} />}
    </Panel>
  );
}
