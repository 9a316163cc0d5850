import type { Connection } from '@keepwatch/contract/connections/connections';
import type { Icon } from '@tabler/icons-react';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs';
import { Badge, type Tone } from '../../kit/badges/badge.tsx';

export const CONDITIONS = ['failing', 'works', 'untested', 'off'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** How each condition looks and reads. */
export const CONDITION_LOOKS: Readonly<Record<Condition, { word: string; tone: Tone; icon: Icon }>> = {
  failing: { word: 'Failing', tone: 'failed', icon: IconCircleX },
  works: { word: 'Works', tone: 'success', icon: IconCircleCheck },
  untested: { word: 'Not tested yet', tone: 'neutral', icon: IconCircleDashed },
  off: { word: 'Switched off', tone: 'neutral', icon: IconPlayerPause },
};

export function conditionOf({ isEnabled, health }: Connection): Condition {
  if (!isEnabled) return 'off';
  if (health === null) return 'untested';
  return health.state === 'ok' ? 'works' : 'failing';
}

/** Whether a connection works. */
export function HealthBadge({ connection }: { connection: Connection }) {
  return <Badge {...CONDITION_LOOKS[conditionOf(connection)]} />;
}
