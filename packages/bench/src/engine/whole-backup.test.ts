import type { CatalogObject } from '@keepwatch/engine/catalog/catalog';
import type { ItemKind, ItemVersion } from '@keepwatch/engine/model/items';
import { describe, expect, it } from 'vitest';
import { requireWhole } from './whole-backup.ts';

const OBJECT: CatalogObject = {
  key: 'ada',
  revision: 1,
  cursors: new Map(),
  lost: [],
  organizationId: 'contoso',
  kind: 'mailbox',
  id: 'ada',
  name: 'Ada',
  owner: null,
  address: null,
};

function itemOf(kind: ItemKind): ItemVersion {
  const size = { sizeBytes: 1, modifiedAt: null, details: {}, contents: [] };
  return { id: kind, kind, name: kind, parentId: null, firstRevision: 1, lastRevision: null, endedAt: null, ...size };
}

/** A catalog of one mailbox with these items. */
const catalogOf = (kinds: readonly ItemKind[]) => ({
  async *listObjects() {
    yield OBJECT;
  },
  async *walk() {
    for (const kind of kinds) yield itemOf(kind);
  },
});

const WHOLE = catalogOf(['mail-folder', 'message', 'message', 'event', 'contact', 'task', 'category']);
const HELD = { message: 2, event: 1, contact: 1, task: 1 };
const FINDINGS = { failures: [], lost: [], skipped: [], alerts: [] };

describe('a backup that is timed', () => {
  it('counts when it ended as Success and has all that the tenant has', async () => {
    await requireWhole({ outcome: 'Success', findings: FINDINGS }, WHOLE, HELD);
  });

  it.each(['Warning', 'Failed', 'Stopped'] as const)('fails the benchmark when it ended as %s', async (outcome) => {
    const failures = [{ objectName: 'Ada', message: 'The folder Inbox could not be read to its end.' }];
    await expect(requireWhole({ outcome, findings: { ...FINDINGS, failures } }, WHOLE, HELD)).rejects.toThrow(
      new RegExp(`ended as ${outcome}: .*The folder Inbox could not be read`),
    );
  });

  it('fails the benchmark when the tenant has more, or less', async () => {
    for (const message of [1, 3])
      await expect(
        requireWhole({ outcome: 'Success', findings: FINDINGS }, WHOLE, { ...HELD, message }),
      ).rejects.toThrow(
        `The backup has {"message":2,"event":1,"contact":1,"task":1}, and the tenant {"message":${message}`,
      );
  });
});
