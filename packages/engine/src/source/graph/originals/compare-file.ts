import type { ItemVersion } from '../../../model/items.ts';
import { type Comparison, type Hashes, notCompared } from '../../originals.ts';
import { listedBytes } from '../drive/checked-bytes.ts';
import { driveItem, haveSameBytes, isDeleted } from '../drive/drive-item.ts';
import { itemPath } from '../drive/drive-paths.ts';
import type { JsonObject } from '../json.ts';
import type { Asking } from './asking.ts';
import { hashesOf } from './hashes.ts';

/**
 * Compares a restored file with its drive. Where the tag of its bytes is the stored one, their hash as the drive lists it must be that of the
 * restored bytes; where it lists none or another, as of files that it writes into, the bytes themselves are read.
 * @throws `not-found` for one that is gone
 */
export async function compareFile(asking: Asking): Promise<Comparison> {
  const { connection, signal, object, version } = asking;
  const restored = asking.restored.get('file');
  if (restored === undefined) return notCompared('It has no bytes, such as a link to another drive.');
  const now = await readEntity(asking);
  const ended = endedBy(now, version);
  if (ended !== null) return ended;
  if (isListed(now, restored)) return SAME;
  const theirs = await hashesOf(connection.download({ path: `${itemPath(object.id, version.id)}/content`, signal }));
  if (theirs.sha256 === restored.sha256) return SAME;
  // It may have changed while it was read.
  return endedBy(await readEntity(asking), version) ?? DIFFERS;
}

const SAME: Comparison = { outcome: 'same', reason: null };
const DIFFERS: Comparison = {
  outcome: 'differs',
  reason: 'Microsoft 365 gives out other bytes than the stored ones, and says that they did not change since.',
};

const readEntity = ({ connection, signal, object, version }: Asking): Promise<JsonObject> =>
  connection.ask({ path: itemPath(object.id, version.id), signal });

/** How the comparison ends before any bytes are compared; `null` where they are unchanged. */
function endedBy(now: JsonObject, { details }: ItemVersion): Comparison | null {
  if (isDeleted(now)) return { outcome: 'gone', reason: null };
  const { tag } = driveItem(now, '').details;
  if (tag === undefined || details.tag === undefined)
    return notCompared('The drive does not say whether its bytes changed.');
  return haveSameBytes(tag, details.tag) ? null : { outcome: 'changed', reason: null };
}

function isListed(now: JsonObject, restored: Hashes): boolean {
  const { hash } = listedBytes(now);
  return hash !== null && restored[hash.type] === hash.value;
}
