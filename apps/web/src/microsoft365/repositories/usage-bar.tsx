import type { Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { formatBytes, formatRatio } from '../../kit/format/numbers.ts';
import { ProgressBar } from '../../kit/progress-bar.tsx';

/** From so full on it is time to add space. */
const NEARLY_FULL = 0.9;

/** How full the disk of a repository is; a bucket has no end. */
export function UsageBar({ repository }: { repository: Microsoft365Repository }) {
  const { capacityBytes, freeBytes } = repository;
  if (capacityBytes === null || freeBytes === null || capacityBytes === 0) return '–';
  const ratio = (capacityBytes - freeBytes) / capacityBytes;
  return (
    <ProgressBar
      ratio={ratio}
      tone={ratio >= NEARLY_FULL ? 'warning' : 'running'}
      text={`${formatRatio(ratio)} full`}
      title={`${formatBytes(freeBytes)} of ${formatBytes(capacityBytes)} free`}
    />
  );
}
