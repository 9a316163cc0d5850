import { textHash } from '../../../world/random.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding (RFC 4648). */
function base32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}

const bytesOf = (guid: string) => Buffer.from(guid.replaceAll('-', ''), 'hex');

/** Id of an item in the vendor's form: `01`, six signs of the drive, and the item's GUID in Base32. */
export function itemIdOf(driveId: string, uniqueId: string): string {
  const drive = Buffer.alloc(4);
  drive.writeUInt32BE(textHash(driveId));
  return `01${base32(drive).slice(0, 6)}${base32(bytesOf(uniqueId))}`;
}

/** Id of a drive in the vendor's form: `b!` and the GUIDs of site collection, web and list in Base64. */
export function driveIdOf(siteId: string, webId: string, listId: string): string {
  return `b!${Buffer.concat([siteId, webId, listId].map(bytesOf)).toString('base64url')}`;
}
