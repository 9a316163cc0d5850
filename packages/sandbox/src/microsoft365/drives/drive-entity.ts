import type { JsonObject } from '../wire/json.ts';
import type { Drive } from './drive.ts';
import { instantOf } from './identity-set.ts';

/** The `drive` of the wire. */
export function driveEntity(drive: Drive): JsonObject {
  const { id, name, description, driveType, owner, webUrl, createdMs, quotaTotal } = drive.facts;
  const used = drive.root.size;
  const deleted = [...drive.removed.values()].reduce((sum, item) => sum + (item.kind === 'file' ? item.size : 0), 0);
  return {
    id,
    name,
    description,
    driveType,
    createdBy: owner,
    createdDateTime: instantOf(createdMs),
    lastModifiedDateTime: instantOf(drive.root.modifiedMs),
    webUrl,
    owner,
    quota: {
      deleted,
      remaining: Math.max(0, quotaTotal - used),
      state: stateOf(used / quotaTotal),
      total: quotaTotal,
      used,
    },
  };
}

/** The states of a quota as documented. */
function stateOf(share: number): string {
  if (share >= 1) return 'exceeded';
  if (share > 0.99) return 'critical';
  return share > 0.9 ? 'nearing' : 'normal';
}
