import { collectionReply } from '../wire/collection.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { entityReply } from '../wire/representation.ts';
import { type DriveItem, type ItemVersion, itemNotFound } from './items/drive-item.ts';
import { editOf, type ItemCall, itemOf, originOf } from './items/item-call.ts';
import { versionEntity } from './version-entity.ts';

const how = { context: 'Collection(driveItemVersion)' };

export function listVersions(at: ItemCall): GraphReply {
  return collectionReply(at.call, itemOf(at).versions.map(versionEntity), how);
}

export function getVersion(at: ItemCall): GraphReply {
  return entityReply(at.call, versionEntity(versionOf(itemOf(at), at)), { context: 'driveItemVersion/$entity' });
}

/** Former contents alone: the current one is read from the item itself. */
export function getVersionContent(at: ItemCall): GraphReply {
  const { call, drive } = at;
  const item = itemOf(at);
  const version = versionOf(item, at);
  if (version === item.versions[0]) {
    throw new GraphError(400, 'invalidRequest', 'You cannot get the content of the current version.');
  }
  const { tenant } = call;
  const location = tenant.drives.downloadUrl(originOf(call), drive, item, tenant.nowMs(), version.id);
  return { status: 302, headers: { location } };
}

export function restoreVersion(at: ItemCall): GraphReply {
  const item = itemOf(at);
  at.drive.write(item, versionOf(item, at).content, editOf(at.call));
  return { status: 204 };
}

function versionOf(item: DriveItem, { call }: ItemCall): ItemVersion {
  const id = call.params['version'];
  const found = id === 'current' ? item.versions[0] : item.versions.find((version) => version.id === id);
  if (!found) throw itemNotFound();
  return found;
}
