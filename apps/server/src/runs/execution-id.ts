import { createHash, hash } from 'node:crypto';

/**
 * Makes the id of an execution from provider, job and start. The same run read twice is the same row, and the id alone
 * says in which partition it is.
 *
 * Layout (a UUID of version 8, RFC 9562): 48 bits start in milliseconds since 1970, 4 bits version, 12 + 62 bits of a
 * hash.
 */
export function executionId(providerId: number, jobInstanceUid: string, startedAt: Date): string {
  const start = startedAt.getTime().toString(16).padStart(12, '0');
  return `${start.slice(0, 8)}-${start.slice(8)}-${tailOf(`${providerId}/${jobInstanceUid}`)}`;
}

/** The end of a UUID of version 8 from the hash of a name: version, 12 bits, variant, 62 bits. */
function tailOf(name: string): string {
  const digits = hash('sha256', name, 'hex');
  const variant = (0x8 | (Number.parseInt(digits.charAt(4), 16) & 0x3)).toString(16);
  return `8${digits.slice(1, 4)}-${variant}${digits.slice(5, 8)}-${digits.slice(8, 20)}`;
}

/** Returns when the execution with this id started; for any other UUID an instant at which no such execution exists. */
export function startOfExecution(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/** No execution starts later. PostgreSQL cannot parse every time that 48 bits can express. */
const LATEST_START = Date.UTC(2100, 0, 1);

/** Returns the start that an id contains, so that a query finds the row by its whole key, in one month. */
export function startIn(id: string): string {
  return new Date(Math.min(startOfExecution(id).getTime(), LATEST_START)).toISOString();
}

/**
 * Makes a stable UUID from names: the same names always give the same one. Used for jobs, repositories and computers.
 */
export function idFrom(...names: string[]): string {
  const bytes = createHash('sha256').update(names.join('\u0000')).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidOf(bytes);
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
