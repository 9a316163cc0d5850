import { badRequest } from '../wire/refusals.ts';

export type IdKind = 'folder' | 'item' | 'attachment' | 'occurrence';

/** The parts of an id. Numbers are those of the mailbox. */
export interface IdParts {
  kind: IdKind;
  /** Distinguishes the ids of one mailbox from those of another. */
  mailbox: number;
  /** Folder the item is in; 0 in immutable ids, which outlive moves. */
  folder: number;
  /** How often the item had been moved; 0 in immutable ids. */
  moves: number;
  number: number;
  /** Number of the attachment within its item, or of the day of the occurrence within its series. */
  part: number;
}

const kinds: readonly IdKind[] = ['folder', 'item', 'attachment', 'occurrence'];
const prefix = { usual: 'AAMkAG', immutable: 'AAkALg' };

/**
 * Encodes the parts in the id, so that a mailbox of a million items needs no table of ids. Like the vendor's, ids are
 * long and case-sensitive, and end in `=`.
 */
export function encodeId({ kind, mailbox, folder, moves, number, part }: IdParts): string {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt8(kinds.indexOf(kind), 0);
  bytes.writeUInt32BE(mailbox, 1);
  bytes.writeUInt32BE(folder, 5);
  bytes.writeUInt32BE(moves, 9);
  bytes.writeUIntBE(number, 13, 6);
  bytes.writeUIntBE(part, 19, 4);
  bytes.writeUInt8(sumOf(bytes), 23);
  const isImmutable = kind !== 'folder' && folder === 0;
  return `${isImmutable ? prefix.immutable : prefix.usual}${bytes.toString('base64url')}AAA=`;
}

/** @throws GraphError 400 for what is no id at all */
export function decodeId(id: string): IdParts {
  const bytes = Buffer.from(id.slice(6, 38), 'base64url');
  const isWhole = id.length === 42 && bytes.length === 24 && bytes.readUInt8(23) === sumOf(bytes);
  const kind = isWhole ? kinds[bytes.readUInt8(0)] : undefined;
  if (!kind) throw badRequest('Id is malformed.', 'ErrorInvalidIdMalformed');
  return {
    kind,
    mailbox: bytes.readUInt32BE(1),
    folder: bytes.readUInt32BE(5),
    moves: bytes.readUInt32BE(9),
    number: bytes.readUIntBE(13, 6),
    part: bytes.readUIntBE(19, 4),
  };
}

function sumOf(bytes: Buffer): number {
  let sum = 7;
  for (let at = 0; at < 23; at += 1) sum = (sum * 31 + (bytes[at] ?? 0)) & 0xff;
  return sum;
}
