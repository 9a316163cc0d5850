import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPoint } from '../cli/testing/processes/read-points.ts';
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
  'a %s whose packs are lost is read again, all of it: nothing counts as deleted, and nothing stays lost',
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
      const key = parts.repository.objectKey(object.object);
      const state = async () => {
        const revision = await parts.catalog.revisionOf(key);
        const items = await readPoint(parts, key, revision, new Map());
        return items.map(({ id, text }) => `${id} ${text}`).sort();
      };
      const before = await state();
      await rm(join(parts.folder, 'packs'), { recursive: true });
      const found = await verify(parts.repository, parts.catalog, { depth: 'full' });
      expect(found.itemsToRead).toBeGreaterThan(0);
      const again = await object.backUp();
      expect(again.findings.lost).toEqual([]);
      expect(again).toMatchObject({ outcome: 'Success', counts: { itemsRemoved: 0 } });
      expect(await state()).toEqual(before);
      const { damagedItems } = await verify(parts.repository, parts.catalog, { depth: 'full' });
      expect(damagedItems.filter(({ version }) => version.lastRevision === null)).toEqual([]);
    } finally {
      await tenant.stop();
    }
  },
);
