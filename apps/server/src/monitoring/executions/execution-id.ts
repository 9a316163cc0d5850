import { createHash } from 'node:crypto';

/**
 * The id of an execution is made from what it is: provider, job and start. The same run read twice is the same row, and the
 * id alone tells in which partition to look.
 *
 * Layout (a UUID of version 8, RFC 9562): 48 bits start in milliseconds since 1970, 4 bits version, 12 + 62 bits of a hash.
 */
export function executionId(providerId: number, jobInstanceUid: string, startedAt: Date): string {
  const hash = createHash('sha256').update(`${providerId}/${jobInstanceUid}`).digest();
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(startedAt.getTime(), 0, 6);
  hash.copy(bytes, 6, 0, 10);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidOf(bytes);
}

/** When the execution with this id started. Any other UUID gives an instant at which no execution of that id exists. */
export function startOfExecution(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/** A stable UUID from names: the same names always give the same one. Used for jobs, repositories and computers of a source. */
export function idFrom(...names: string[]): string {
  const bytes = createHash('sha256').update(names.join('\u0000')).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidOf(bytes);
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
