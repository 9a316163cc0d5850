const PREFIX = Buffer.from('040000008200e00074c5b7101a82e008', 'hex');
const FOREIGN = Buffer.from('vCal-Uid\x01\0\0\0', 'latin1');

/**
 * The id by which Outlook knows a meeting in every calendar it is in, [MS-OXOCAL] 2.2.1.27. A UID made by Outlook or Exchange is that
 * id in hex; any other is wrapped.
 */
export function globalObjectId(uid: string): Buffer {
  if (/^[0-9a-f]+$/i.test(uid) && uid.toLowerCase().startsWith(PREFIX.toString('hex'))) {
    return Buffer.from(uid, 'hex');
  }
  const data = Buffer.concat([FOREIGN, Buffer.from(`${uid}\0`, 'utf8')]);
  const head = Buffer.alloc(40);
  PREFIX.copy(head);
  head.writeUInt32LE(data.length, 36);
  return Buffer.concat([head, data]);
}
