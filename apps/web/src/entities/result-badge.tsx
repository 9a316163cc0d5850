import type { Result } from '@keepwatch/contract/runs/values';
import type { Icon } from '@tabler/icons-react';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import IconClockOff from '@tabler/icons-react/dist/esm/icons/IconClockOff.mjs';
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs';
import { Badge, type Tone } from '../kit/badges/badge.tsx';

/** How each result looks and reads everywhere: in badges, filters, charts, the calendar. */
export const RESULT_LOOKS: Readonly<Record<Result, { word: string; tone: Tone; icon: Icon }>> = {
  Failed: { word: 'Failed', tone: 'failed', icon: IconCircleX },
  DidntRun: { word: "Didn't run", tone: 'missed', icon: IconClockOff },
  Warning: { word: 'Warning', tone: 'warning', icon: IconAlertTriangle },
  Running: { word: 'Running', tone: 'running', icon: IconPlayerPlay },
  Success: { word: 'Success', tone: 'success', icon: IconCircleCheck },
};

/** How a run ended. */
export function ResultBadge({ result }: { result: Result }) {
  return <Badge {...RESULT_LOOKS[result]} />;
}
