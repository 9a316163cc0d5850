import type { RestoreRole } from '@keepwatch/contract/restore/roles';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';

type Counts = Pick<RestoreRole, 'roleType' | 'selectedCount' | 'excludedCount'>;

/** `The whole organization but 3`, `12 objects`. */
export function coverageText({ roleType, selectedCount, excludedCount }: Counts): string {
  const what =
    roleType === 'EntireOrganization' ? 'The whole organization' : formatCounted(selectedCount, 'object', 'objects');
  return excludedCount === 0 ? what : `${what} but ${formatCount(excludedCount)}`;
}

/** `Ada, Grace`. */
export function operatorsText({ operators }: Pick<RestoreRole, 'operators'>): string {
  return operators.length === 0 ? 'None: all were removed' : operators.map(({ name }) => name).join(', ');
}
