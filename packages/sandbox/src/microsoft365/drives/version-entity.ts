import type { JsonObject } from '../wire/json.ts';
import { instantOf } from './identity-set.ts';
import type { ItemVersion } from './items/drive-item.ts';

/** The `driveItemVersion` of the wire. */
export const versionEntity = (version: ItemVersion): JsonObject => ({
  id: version.id,
  lastModifiedBy: version.modifiedBy,
  lastModifiedDateTime: instantOf(version.modifiedMs),
  size: version.content.size,
});
