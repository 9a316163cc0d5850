import type { EmailAddress } from '../item-details.ts';
import type { Recipient } from '../message.ts';
import { guidBytes } from './guid.ts';
import { PropertyBag } from './property-bag.ts';
import { RecentlyMade } from './recently-made.ts';

const ONE_OFF_PROVIDER = guidBytes('A41F2B81-A3BE-1910-9D6E-00DD010F5402');
/** Unicode, and no rich text for the recipient: [MS-OXCDATA] 2.2.5.1. */
const ONE_OFF_FLAGS = 0x9001;
const RECIPIENT_TYPE = { to: 1, cc: 2, bcc: 3 } as const;
const MAIL_USER = 6;

/** What is shown for an address. */
export function shownName(address: EmailAddress): string {
  return address.name || address.email;
}

const ONE_OFF_HEAD = Buffer.alloc(24);
ONE_OFF_PROVIDER.copy(ONE_OFF_HEAD, 4);
ONE_OFF_HEAD.writeUInt16LE(ONE_OFF_FLAGS, 22);

const entryIds = new RecentlyMade((texts) => Buffer.concat([ONE_OFF_HEAD, Buffer.from(texts, 'utf16le')]));
const searchKeys = new RecentlyMade((email) => Buffer.from(`SMTP:${email.toUpperCase()}\0`, 'latin1'));

/** Identifies an address that is in no address book, [MS-OXCDATA] 2.2.5.1. */
export function oneOffEntryId(address: EmailAddress): Buffer {
  const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();
  return entryIds.of(`${clean(shownName(address))}\0SMTP\0${clean(address.email)}\0`);
}

/** By which Outlook finds mail of the same correspondent. */
export function searchKey(address: EmailAddress): Buffer {
  return searchKeys.of(address.email);
}

/** A list of addresses in one value, [MS-OXCDATA] 2.3.3 (FlatEntryList). */
export function flatEntryList(addresses: readonly EmailAddress[]): Buffer {
  const entries = addresses.map((address) => {
    const id = oneOffEntryId(address);
    const entry = Buffer.alloc(4 + Math.ceil(id.length / 4) * 4);
    entry.writeUInt32LE(id.length);
    id.copy(entry, 4);
    return entry;
  });
  const head = Buffer.alloc(8);
  head.writeUInt32LE(entries.length, 0);
  head.writeUInt32LE(
    entries.reduce((sum, entry) => sum + entry.length, 0),
    4,
  );
  return Buffer.concat([head, ...entries]);
}

/** A recipient's row, [MS-OXOMSG] 2.2.3. */
export function recipientProperties(recipient: Recipient): PropertyBag {
  return addressRow(recipient, RECIPIENT_TYPE[recipient.kind]);
}

/** @param type 1 to, 2 cc, 3 bcc; of attendees: required, optional, resource */
export function addressRow(address: EmailAddress, type: number): PropertyBag {
  const entryId = oneOffEntryId(address);
  const name = shownName(address);
  return new PropertyBag()
    .integer(0x0c15, type)
    .flag(0x0e0f, true)
    .binary(0x0ff9, entryId)
    .integer(0x0ffe, MAIL_USER)
    .binary(0x0fff, entryId)
    .textOrEmpty(0x3001, name)
    .textOrEmpty(0x3002, 'SMTP')
    .textOrEmpty(0x3003, address.email)
    .binary(0x300b, searchKey(address))
    .integer(0x3900, 0)
    .text(0x39fe, address.email)
    .textOrEmpty(0x39ff, name)
    .flag(0x3a40, false)
    .text(0x5ff6, name)
    .integer(0x5ffd, 1)
    .integer(0x5fff, 0);
}

/** In whose name an item is, and who sent it. */
export function senderProperties(
  bag: PropertyBag,
  from: EmailAddress | undefined,
  sender: EmailAddress | undefined,
): void {
  bag.textOrEmpty(0x0042, from ? shownName(from) : '');
  if (from) {
    bag.text(0x0064, 'SMTP').text(0x0065, from.email).text(0x5d02, from.email);
    bag.binary(0x0041, oneOffEntryId(from)).binary(0x003b, searchKey(from));
  }
  const sending = sender ?? from;
  if (sending) {
    bag.text(0x0c1a, shownName(sending)).text(0x0c1e, 'SMTP').text(0x0c1f, sending.email).text(0x5d01, sending.email);
    bag.binary(0x0c19, oneOffEntryId(sending)).binary(0x0c1d, searchKey(sending));
  }
}
