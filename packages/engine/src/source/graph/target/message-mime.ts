import type { JsonObject } from '../json.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';

/** Of the head of a message; what comes behind is no matter of its own. */
const HEAD_BYTES = 256 * 1024;
const SIGNED_OR_ENCRYPTED = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-mime)/i;

/** Whether a change of any byte of its content would break it. */
export function isProtected(mime: Buffer): boolean {
  return SIGNED_OR_ENCRYPTED.test(headerOf(headOf(mime), 'content-type') ?? '');
}

/**
 * The message with what the mailbox knows of it and its MIME does not say: its id, by which it is found again, and its blind copies. Lines are
 * put before all others, so that not a byte of its content changes, and no signature breaks.
 * @returns the same bytes where nothing is missing
 */
export function completedMime(mime: Buffer, properties: JsonObject): Buffer {
  const head = headOf(mime);
  const lines = [
    ['Message-ID', textOf(properties['internetMessageId'])],
    ['Bcc', addressesOf(properties['bccRecipients'])],
  ].flatMap(([name = '', value]) =>
    value === undefined || headerOf(head, name) !== undefined ? [] : [`${name}: ${value.replaceAll(/[\r\n]/g, ' ')}`],
  );
  return lines.length === 0 ? mime : Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), mime]);
}

function headOf(mime: Buffer): string {
  const text = mime.subarray(0, HEAD_BYTES).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  return end === null ? text : text.slice(0, end.index);
}

function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`^${name}[ \\t]*:[ \\t]*(?:\\r?\\n[ \\t]+)?(.*)$`, 'im').exec(head)?.[1];
}

function addressesOf(recipients: unknown): string | undefined {
  const addresses = objectsOf(recipients).flatMap((one) => textOf(objectOf(one['emailAddress'])['address']) ?? []);
  return addresses.length === 0 ? undefined : addresses.map((address) => `<${address}>`).join(', ');
}
