import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DRIVE, type GivenItem, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { CatalogObject } from '../catalog/catalog.ts';
import type { ItemKind } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { MailboxFolderKind } from '../source/target.ts';
import type { ItemOutcome } from './item-outcome.ts';
import { DrivePlace } from './places/drive-place.ts';
import { MailboxPlace } from './places/mailbox-place.ts';
import { SitePlace } from './places/site-place.ts';
import { TeamPlace } from './places/team-place.ts';
import { type RestoreRequest, restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';
import { hashOf, MemoryDrive } from './testing/memory-drive.ts';
import { MemoryMailbox } from './testing/memory-mailbox.ts';
import { MemorySite } from './testing/memory-site.ts';
import { MemoryTeam } from './testing/memory-team.ts';

type Done = ItemOutcome['outcome'];
/** Of three items one is at the target as it was stored, one was changed there, and one is not there. */
const STATES = ['missing', 'same', 'changed'] as const;

const MODES: readonly [RestoreOptions['conflict'], RestoreOptions['only'], Record<(typeof STATES)[number], Done>][] = [
  ['skip', 'everything', { missing: 'restored', same: 'skipped', changed: 'skipped' }],
  ['replace', 'everything', { missing: 'restored', same: 'skipped', changed: 'replaced' }],
  ['keep-both', 'everything', { missing: 'restored', same: 'skipped', changed: 'restored' }],
  ['skip', 'missing', { missing: 'restored', same: 'skipped', changed: 'skipped' }],
  ['replace', 'missing', { missing: 'restored', same: 'skipped', changed: 'skipped' }],
  ['keep-both', 'missing', { missing: 'restored', same: 'skipped', changed: 'skipped' }],
  ['replace', 'changed', { missing: 'skipped', same: 'skipped', changed: 'replaced' }],
  ['keep-both', 'changed', { missing: 'skipped', same: 'skipped', changed: 'restored' }],
];

/** A target of its own, filled by restores. */
interface Target {
  place(options: RestoreOptions): RestoreRequest['place'];
  /** Changes what matches the item `changed`, as a person would. */
  change(): void;
  /** How many items of the kind there are. */
  count(): number;
}

interface Kind {
  kind: ItemKind;
  object: ProtectedObject;
  /** The container first. */
  items: readonly GivenItem[];
  open(): Target;
  /** What is there never differs from what was stored: Teams lets no application change a post, nor distinguish tabs but by their names. */
  isNeverChanged?: true;
}

let stored: StoredBackup;
let object: CatalogObject;
const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal: new AbortController().signal });
const site = () => ({ parts: parts(), object: object.key, revision: object.revision });

const properties = (value: object) => ({ properties: JSON.stringify(value) });

function inFolder(
  kind: ItemKind,
  folder: GivenItem,
  contentsOf: (state: string, at: number) => GivenItem['contents'],
  idOf: (state: string, at: number) => string = (state) => state,
): GivenItem[] {
  const items = STATES.map((state, at): GivenItem => {
    const contents = contentsOf(state, at);
    return {
      id: idOf(state, at),
      kind,
      name: state,
      parentId: folder.id,
      ...(contents === undefined ? {} : { contents }),
    };
  });
  return [folder, ...items];
}

function mailboxKind(
  kind: 'message' | 'event' | 'contact' | 'task',
  folderKind: MailboxFolderKind,
  name: 'subject' | 'displayName' | 'title',
): Kind {
  const folder: GivenItem = { id: 'folder', kind: folderKind, name: 'Folder', contents: properties({}) };
  return {
    kind,
    object: MAILBOX,
    items: inFolder(kind, folder, (state) => ({
      ...properties({ [name]: state, ...(kind === 'message' ? { internetMessageId: `<${state}>` } : {}) }),
      ...(kind === 'message' ? { mime: state } : {}),
    })),
    open() {
      const mailbox = new MemoryMailbox();
      mailbox.now = new Date('2026-11-20T10:00:00Z'); // as it was stored
      return {
        place: () => (paths, signal) => new MailboxPlace(mailbox, paths, null, signal),
        change() {
          for (const item of mailbox.items.values())
            if (item.properties[name] === 'changed')
              Object.assign(item, {
                properties: { ...item.properties, importance: 'high' },
                modifiedAt: new Date('2026-11-21T08:00:00Z'),
              });
        },
        count: () => mailbox.items.size,
      };
    },
  };
}

const fileKind: Kind = {
  kind: 'file',
  object: DRIVE,
  items: inFolder('file', { id: 'folder', kind: 'folder', name: 'Folder' }, (state) => ({
    ...properties({ file: { hashes: { sha256Hash: hashOf(state) } } }),
    file: state,
  })),
  open() {
    const drive = new MemoryDrive();
    const files = () => [...drive.all.values()].filter(({ isFolder }) => !isFolder);
    return {
      place: (options) => (paths, signal) => new DrivePlace(drive, paths, options, signal),
      change() {
        for (const file of files()) if (file.name === 'changed') file.hash = hashOf('something else');
      },
      count: () => files().length,
    };
  },
};

const SITE: ProtectedObject = { ...MAILBOX, kind: 'site', id: 'site-1', name: 'Site' };

const rowKind: Kind = {
  kind: 'list-item',
  object: SITE,
  items: inFolder(
    'list-item',
    { id: 'list-1', kind: 'list', name: 'Inventory', contents: properties({}) },
    (state) => properties({ fields: { Title: state, Quantity: 1 } }),
    (_, at) => `list-1/items/${at + 1}`,
  ),
  open() {
    const target = new MemorySite();
    return {
      place: () => (paths, signal) => new SitePlace(target, paths, site(), null, signal),
      change() {
        for (const [id, { fields }] of target.allRows)
          if (JSON.stringify(fields).includes('changed'))
            target.allRows.set(id, { id, fields: { Title: 'changed', Quantity: 9 } });
      },
      count: () => target.allRows.size,
    };
  },
};

const pageKind: Kind = {
  kind: 'page',
  object: SITE,
  items: STATES.map((state) => ({
    id: state,
    kind: 'page',
    name: `${state}.aspx`,
    contents: properties({ name: `${state}.aspx`, title: state, description: 'As stored' }),
  })),
  open() {
    const target = new MemorySite();
    return {
      place: () => (paths, signal) => new SitePlace(target, paths, site(), null, signal),
      change() {
        for (const [id, page] of target.allPages)
          if (page['name'] === 'changed.aspx') target.allPages.set(id, { ...page, title: 'Another' });
      },
      count: () => target.allPages.size,
    };
  },
};

const TEAM: ProtectedObject = { ...MAILBOX, kind: 'team', id: 'team-1', name: 'Team' };
const CHANNEL: GivenItem = {
  id: 'general',
  kind: 'channel',
  name: 'General',
  contents: properties({ displayName: 'General' }),
};
const postedAt = (at: number) => new Date(Date.UTC(2026, 0, 1 + at));

function teamKind(kind: 'post' | 'tab', items: readonly GivenItem[], countOf: (team: MemoryTeam) => number): Kind {
  return {
    kind,
    object: TEAM,
    items,
    isNeverChanged: true,
    open() {
      const team = new MemoryTeam();
      return {
        place: () => (paths, signal) => new TeamPlace(team, paths, site(), { into: null, withPosts: true }, signal),
        change: () => undefined,
        count: () => countOf(team),
      };
    },
  };
}

const postKind = teamKind(
  'post',
  inFolder(
    'post',
    CHANNEL,
    (state, at) =>
      properties({ messageType: 'message', createdDateTime: postedAt(at).toISOString(), body: { content: state } }),
    (_, at) => `general/messages/${postedAt(at).getTime()}`,
  ),
  ({ said }) => said.length,
);
const tabKind = teamKind(
  'tab',
  inFolder('tab', CHANNEL, (state) => properties({ displayName: state, teamsApp: { id: 'app' }, configuration: {} })),
  ({ allTabs }) => allTabs.length,
);

const KINDS: readonly Kind[] = [
  mailboxKind('message', 'mail-folder', 'subject'),
  mailboxKind('event', 'calendar', 'subject'),
  mailboxKind('contact', 'contact-folder', 'displayName'),
  mailboxKind('task', 'task-list', 'title'),
  fileKind,
  rowKind,
  pageKind,
  postKind,
  tabKind,
];

describe.each(KINDS.map((one) => [one.kind, one] as const))(
  'A %s',
  (_, { items, object: of, open, isNeverChanged }) => {
    beforeAll(async () => {
      stored = await StoredBackup.create();
      object = (await stored.backUp(of, items)).object;
    });
    afterAll(() => stored.close());

    const idOf = (state: string) => items.find(({ name }) => name === state || name === `${state}.aspx`)?.id ?? '';

    async function restored(target: Target, over: Partial<RestoreOptions>, states: readonly string[] | null = null) {
      const options = { ...RESTORE_OPTIONS, ...over };
      const outcomes = new Map<string, string>();
      const result = await restore(
        {
          ...parts(),
          onItem: (item) =>
            void outcomes.set(item.id, item.outcome === 'failed' ? `failed: ${item.reason}` : item.outcome),
        },
        {
          scope: { object, revision: object.revision, items: states?.map(idOf) ?? null },
          options,
          to: 'target',
          place: target.place(options),
        },
      );
      return { result, outcomes };
    }

    test.each(MODES)('that is missing, the same or changed, with %s and %s: %o', async (conflict, only, expected) => {
      const target = open();
      expect((await restored(target, {}, ['same', 'changed'])).result).toMatchObject({ restored: 2, failed: 0 });
      target.change();
      const { outcomes, result } = await restored(target, { conflict, only });
      const expectedOutcomes = isNeverChanged ? { ...expected, changed: 'skipped' } : expected;
      expect(Object.fromEntries(STATES.map((state) => [state, outcomes.get(idOf(state))]))).toEqual(expectedOutcomes);
      expect(target.count()).toBe(2 + Object.values(expectedOutcomes).filter((one) => one === 'restored').length);
      expect(result.outcome).toBe(Object.keys(result.losses).length === 0 ? 'Success' : 'Warning');
    });

    test('that was brought back and replaced is unchanged for the next restore', async () => {
      const target = open();
      await restored(target, {}, ['same', 'changed']);
      target.change();
      await restored(target, { conflict: 'replace' });
      const again = await restored(target, { conflict: 'replace' });
      expect(again.result).toMatchObject({ replaced: 0, restored: 0, skipped: 3 });
      expect(target.count()).toBe(3);
    });
  },
);
