import type { FaultKind } from '@keepwatch/contract/faults/values';
import type { Icon } from '@tabler/icons-react';
import IconActivityHeartbeat from '@tabler/icons-react/dist/esm/icons/IconActivityHeartbeat.mjs';
import { Badge, type Tone } from '../../kit/badges/badge.tsx';
import { RESULT_LOOKS } from '../result-badge.tsx';
import { KIND_WORDS } from './fault-texts.ts';

const LOOKS: Readonly<Record<FaultKind, { tone: Tone; icon: Icon }>> = {
  failed: RESULT_LOOKS.Failed,
  missed: RESULT_LOOKS.DidntRun,
  doubtful: { tone: 'warning', icon: IconActivityHeartbeat },
  warning: RESULT_LOOKS.Warning,
};
const HEALED = RESULT_LOOKS.Success;

/** How the last run of a fault ended, or that it is healed. */
export function KindBadge({ kind, isHealed = false }: { kind: FaultKind; isHealed?: boolean }) {
  if (isHealed) return <Badge {...HEALED} word="Healed" />;
  return <Badge {...LOOKS[kind]} word={KIND_WORDS[kind]} />;
}
