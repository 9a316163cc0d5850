import type { State } from '@keepwatch/contract/runs/values';
import type { Icon } from '@tabler/icons-react';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs';
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs';
import IconProgress from '@tabler/icons-react/dist/esm/icons/IconProgress.mjs';
import { Badge, type Tone } from '../kit/badges/badge.tsx';

/** How each state looks and reads. */
export const STATE_LOOKS: Readonly<Record<State, { word: string; tone: Tone; icon: Icon }>> = {
  pending: { word: 'Pending', tone: 'warning', icon: IconCircleDashed },
  'in-progress': { word: 'In progress', tone: 'running', icon: IconProgress },
  resolved: { word: 'Resolved', tone: 'success', icon: IconCheck },
  ignored: { word: 'Ignored', tone: 'neutral', icon: IconEyeOff },
};

/** What a technician has made of a run. */
export function StateBadge({ state }: { state: State }) {
  return <Badge {...STATE_LOOKS[state]} />;
}
