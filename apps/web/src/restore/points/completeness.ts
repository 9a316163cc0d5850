import type { RestorePoint } from '@keepwatch/contract/restore/sessions';
import { formatCounted } from '../../kit/format/numbers.ts';

/** `complete`, or what is missing of it. */
export function completeness({
  isPartial,
  incompleteObjects,
}: Pick<RestorePoint, 'isPartial' | 'incompleteObjects'>): string {
  if (!isPartial) return 'complete';
  const objects = formatCounted(incompleteObjects, 'object', 'objects');
  return incompleteObjects === 0 ? 'partial' : `partial, ${objects} incomplete`;
}
