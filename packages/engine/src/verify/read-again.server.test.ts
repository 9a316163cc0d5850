import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ObjectKind } from '../model/protected-object.ts';
import { isOfGroup } from '../source/graph/group/group-owner.ts';
import { backedUpObject } from '../testing/backed-up-object.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { verify } from './verify.ts';

const database = useDatabase();
const KINDS: [string, ObjectKind][] = [
  ['mailbox', 'mailbox'],
  ['mailbox of a group', 'mailbox'],
  ['archive', 'archive'],
  ['drive', 'drive'],
  ['site', 'site'],
  ['team', 'team'],
  ['set of chats', 'chats'],
];

test.each(KINDS)(
  'a %s whose packs are lost is read again, all of it: nothing is taken for deleted, and nothing stays lost',
  async (name, kind) => {
    const parts = await database.parts();
    const { tenant, ...object } = await backedUpObject(
      parts,
      kind,
      {},
      (one) => isOfGroup(one) === name.endsWith('group'),
    );
    try {
      expect(await object.backUp()).toMatchObject({ outcome: 'Success' });
      const names = async () => (await object.items()).map((item) => `${item.kind} ${item.name} ${item.id}`).sort();
      const before = await names();
      await rm(join(parts.folder, 'packs'), { recursive: true });
      const found = await verify(parts.repository, parts.catalog, { depth: 'full' });
      expect(found.itemsToRead).toBeGreaterThan(0);
      const again = await object.backUp();
      expect(again.findings.lost).toEqual([]);
      expect(again).toMatchObject({ outcome: 'Success', counts: { itemsRemoved: 0 } });
      expect(await names()).toEqual(before);
      const { damagedItems } = await verify(parts.repository, parts.catalog, { depth: 'full' });
      expect(damagedItems.filter(({ version }) => version.lastRevision === null)).toEqual([]);
    } finally {
      await tenant.stop();
    }
  },
);
