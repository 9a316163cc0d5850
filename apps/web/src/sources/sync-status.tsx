import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import type { ComponentProps } from 'react';
import { Badge } from '../kit/badges/badge.tsx';
import type { Source } from './sources.data.ts';

const LOOKS: Readonly<Record<Source['status'], ComponentProps<typeof Badge>>> = {
  SUCCEEDED: { word: 'Synced', tone: 'success', icon: IconCircleCheck },
  PARTIAL: { word: 'Synced in part', tone: 'warning', icon: IconAlertTriangle },
  FAILED: { word: 'Sync failed', tone: 'failed', icon: IconCircleX },
  RUNNING: { word: 'Syncing', tone: 'running', icon: IconRefresh },
  NEVER: { word: 'Not synced yet', tone: 'neutral', icon: IconCircleDashed },
};

/** How the last reading of a console went; one that is disabled says only that. */
export function SyncStatus({ status, isEnabled }: { status: Source['status']; isEnabled: boolean }) {
  if (!isEnabled) return <Badge word="Disabled" tone="neutral" icon={IconPlayerPause} />;
  return <Badge {...LOOKS[status]} />;
}
