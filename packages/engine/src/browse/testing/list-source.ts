import type { Item } from '../../model/items.ts';
import type { ProtectedObject } from '../../model/protected-object.ts';
import type { Source, SourceContent, SourceEvent } from '../../source/source.ts';

/** An item with its bytes, as tests write it down. */
export interface GivenItem extends Partial<Item> {
  id: string;
  kind: Item['kind'];
  contents?: Partial<Record<SourceContent['name'], string | Buffer>>;
}

export const MAILBOX: ProtectedObject = {
  organizationId: 'contoso',
  kind: 'mailbox',
  id: 'ada',
  name: 'Ada Lovelace',
  owner: null,
  address: 'ada@contoso.example',
};

export const DRIVE: ProtectedObject = {
  ...MAILBOX,
  kind: 'drive',
  id: 'drive-1',
  name: 'Documents',
  owner: 'user/ada',
  address: null,
};

/** A source of one object that lists the same items each time: an item that is not listed was deleted. */
export function listSource(object: ProtectedObject, items: readonly GivenItem[]): Source {
  return {
    organizationId: object.organizationId,
    async *listObjects() {
      yield object;
    },
    async *read(): AsyncGenerator<SourceEvent> {
      const scan = { scope: 'all', kinds: [...new Set(items.map(({ kind }) => kind))] };
      yield { type: 'scan-begin', scan, resumed: false };
      for (const given of items) yield eventOf(given);
      yield { type: 'scan-end', scan };
    },
    async close() {},
  };
}

function eventOf({ contents = {}, ...given }: GivenItem): SourceEvent {
  const all = Object.entries(contents).map(([name, bytes]) => ({
    name: name as SourceContent['name'],
    bytes: Buffer.from(bytes ?? ''),
  }));
  const sizeBytes = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const item: Item = {
    parentId: null,
    name: given.id,
    sizeBytes,
    modifiedAt: new Date('2026-11-20T10:00:00Z'),
    details: {},
    ...given,
  };
  return { type: 'item', item, contents: all };
}

/** The content `properties`. */
export const json = (value: object) => ({ properties: JSON.stringify(value) });

/** A container, with the role that its mailbox gives it. */
export function folder(
  id: string,
  kind: GivenItem['kind'],
  name: string,
  role?: string,
  parentId: string | null = null,
): GivenItem {
  const details = role === undefined ? {} : { role };
  return { id, kind, name, parentId, details, contents: json({ displayName: name }) };
}
