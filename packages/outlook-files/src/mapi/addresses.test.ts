import { assert, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { flatEntryList, oneOffEntryId, recipientProperties, searchKey, shownName } from './addresses.ts';

/** Name, kind and address in an entry id, as a reader finds them: three texts, each ended by a NUL. */
function textsOf(entryId: Buffer): string[] {
  return entryId.subarray(24).toString('utf16le').split('\0');
}

it('identifies any address by name, kind and address', () => {
  assert(
    property(string({ unit: 'binary', minLength: 1 }), string({ unit: 'binary' }), (name, email) => {
      const asStored = (text: string) => text.replaceAll('\0', '').toWellFormed();
      const id = oneOffEntryId({ name, email });
      expect(id.subarray(0, 4)).toEqual(Buffer.alloc(4));
      expect(id.subarray(4, 20).toString('hex')).toBe('812b1fa4bea310199d6e00dd010f5402');
      expect(id.readUInt32LE(20)).toBe(0x9001_0000);
      expect(textsOf(id)).toEqual([asStored(name), 'SMTP', asStored(email), '']);
    }),
  );
});

it('shows the address of a person without a name', () => {
  expect(shownName({ email: 'ann@example.com' })).toBe('ann@example.com');
  expect(shownName({ name: '', email: 'ann@example.com' })).toBe('ann@example.com');
  expect(textsOf(oneOffEntryId({ email: 'ann@example.com' }))[0]).toBe('ann@example.com');
});

it('finds the same correspondent however the address is spelt', () => {
  expect(searchKey({ email: 'Ann@Example.com' })).toEqual(searchKey({ email: 'ann@example.com' }));
  expect(searchKey({ email: 'ann@example.com' }).toString('latin1')).toBe('SMTP:ANN@EXAMPLE.COM\0');
});

it('lists addresses with their lengths, each padded to four bytes', () => {
  const addresses = ['a', 'bb', 'ccc'].map((name) => ({ name, email: `${name}@example.com` }));
  const list = flatEntryList(addresses);
  expect([list.readUInt32LE(0), list.readUInt32LE(4)]).toEqual([3, list.length - 8]);
  let at = 8;
  for (const address of addresses) {
    const length = list.readUInt32LE(at);
    expect(list.subarray(at + 4, at + 4 + length)).toEqual(oneOffEntryId(address));
    at += 4 + Math.ceil(length / 4) * 4;
  }
  expect(at).toBe(list.length);
});

it.each([
  ['to', 1],
  ['cc', 2],
  ['bcc', 3],
] as const)('a recipient of kind %s has the type %i', (kind, type) => {
  const row = recipientProperties({ kind, name: 'Ann', email: 'ann@example.com' });
  expect(row.get(0x0c15)?.number).toBe(type);
  expect(row.get(0x3001)?.bytes.toString('utf16le')).toBe('Ann');
  expect(row.get(0x39fe)?.bytes.toString('utf16le')).toBe('ann@example.com');
});
