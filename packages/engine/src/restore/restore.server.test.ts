import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folder, type GivenItem, json, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { EngineError } from '../model/engine-error.ts';
import { journalFile } from './journal-files.ts';
import { MailboxPlace } from './places/mailbox-place.ts';
import { type RestoreParts, type RestoreRequest, restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';
import { planRestore } from './restore-plan.ts';
import { KILLED, MemoryMailbox } from './testing/memory-mailbox.ts';

let stored: StoredBackup;
let mailbox: MemoryMailbox;
beforeEach(async () => {
  stored = await StoredBackup.create();
  mailbox = new MemoryMailbox();
});
afterEach(() => stored.close());

const message = (id: string, parentId: string, internetMessageId = `<${id}@contoso.example>`): GivenItem => ({
  id,
  kind: 'message',
  name: `Subject ${id}`,
  parentId,
  contents: {
    ...json({ subject: `Subject ${id}`, internetMessageId, isRead: true, categories: ['Red'] }),
    mime: `MIME of ${id}`,
  },
});

const FOLDERS: readonly GivenItem[] = [
  folder('inbox', 'mail-folder', 'Posteingang', 'inbox'),
  folder('deleted', 'mail-folder', 'Gelöschte Elemente', 'deleteditems'),
  folder('project', 'mail-folder', 'Projekt', undefined, 'inbox'),
  folder('empty', 'mail-folder', 'Leer', undefined, 'project'),
  folder('calendar', 'calendar', 'Kalender', 'default'),
  folder('birthdays', 'calendar', 'Geburtstage'),
  folder('contacts', 'contact-folder', 'Kontakte', 'default'),
  folder('tasks', 'task-list', 'Aufgaben', 'default'),
];
const ALL: readonly GivenItem[] = [
  ...FOLDERS,
  message('m1', 'inbox'),
  message('m2', 'project'),
  message('m3', 'deleted'),
  {
    id: 'e1',
    kind: 'event',
    name: 'Party',
    parentId: 'birthdays',
    contents: { ...json({ subject: 'Party' }), 'attachments/a': 'cake' },
  },
  { id: 'e2', kind: 'event', name: 'Review', parentId: 'calendar', contents: json({ subject: 'Review' }) },
  { id: 'c1', kind: 'contact', name: 'Grace', parentId: 'contacts', contents: json({ displayName: 'Grace' }) },
  { id: 't1', kind: 'task', name: 'Milk', parentId: 'tasks', contents: json({ title: 'Milk' }) },
];
const ITEMS = 7;

async function request(
  items: readonly GivenItem[] = ALL,
  options: Partial<RestoreOptions> = {},
  chosen: readonly string[] | null = null,
): Promise<RestoreRequest> {
  return {
    scope: { ...(await stored.backUp(MAILBOX, items)), items: chosen },
    options: { ...RESTORE_OPTIONS, ...options },
    to: 'grace',
    place: (paths, signal) => new MailboxPlace(mailbox, paths, options.into ?? null, signal, true),
  };
}

const parts = (over: Partial<RestoreParts> = {}): RestoreParts => ({
  repository: stored.repository,
  catalog: stored.catalog,
  signal: new AbortController().signal,
  ...over,
});

/** Changes every item, as a person would. */
function paintBlue(): void {
  for (const item of mailbox.items.values())
    Object.assign(item, { properties: { ...item.properties, categories: ['Blue'] } });
}

const subjects = () =>
  [...mailbox.items.values()].map(
    ({ properties }) => properties['subject'] ?? properties['displayName'] ?? properties['title'],
  );

describe('a restore', () => {
  test('puts every item back with its bytes, folders by what they are for and then by their path', async () => {
    const result = await restore(parts(), await request());
    expect(result).toMatchObject({
      outcome: 'Warning',
      restored: ITEMS,
      replaced: 0,
      skipped: 0,
      failed: 0,
      containers: FOLDERS.length,
    });
    expect(mailbox.within(mailbox.folder('mail-folder', 'Boîte de réception'))).toHaveLength(1);
    const [m2] = mailbox.within(mailbox.folder('mail-folder', 'Boîte de réception', 'Projekt'));
    expect(m2?.contents.get('mime')?.toString()).toBe('MIME of m2');
    expect(mailbox.folder('mail-folder', 'Boîte de réception', 'Projekt', 'Leer')).toBeDefined();
    expect(mailbox.within(mailbox.folder('mail-folder', 'Éléments supprimés'))).toHaveLength(1);
    const [party] = mailbox.within(mailbox.folder('calendar', 'Geburtstage'));
    expect(party?.contents.get('attachments/a')?.toString()).toBe('cake');
    expect(mailbox.folders).toHaveLength(6 + 3);
    expect(result.losses).toEqual({ 'the organizer': 2 });
  });

  test('keeps every other restore out of its target until it has ended', async () => {
    const what = { ...(await request()), toName: 'the mailbox of Grace' };
    const [began, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const list = mailbox.listFolders.bind(mailbox);
    mailbox.listFolders = async (kind) => {
      began.resolve();
      await go.promise;
      return list(kind);
    };
    const first = restore(parts(), what);
    await began.promise;
    await expect(restore(parts(), what)).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/writing into the mailbox of Grace.*Wait until that one has ended/),
    });
    // Looking changes nothing, and is let in.
    const plan = planRestore(parts(), what);
    go.resolve();
    expect(await first).toMatchObject({ restored: ITEMS, failed: 0 });
    await plan;
    expect(await restore(parts(), what)).toMatchObject({ restored: 0, skipped: ITEMS });
    expect(mailbox.items.size).toBe(ITEMS);
  });

  test('stops when it no longer keeps others out, and goes on when it is begun again', async () => {
    const lost = new AbortController();
    const claimTarget = async () => ({ lost: lost.signal, end: () => undefined });
    const catalog: RestoreParts['catalog'] = Object.assign(Object.create(stored.catalog), { claimTarget });
    mailbox.onPoint = (point) => {
      if (point === 'unanswered') lost.abort(new EngineError('store-unreachable', 'The claim was lost.'));
    };
    const what = await request();
    const journalPath = stored.file('restore.jsonl');
    const stopped = await restore(parts({ catalog, journals: journalFile(journalPath), itemsAtOnce: 1 }), what);
    expect(stopped).toMatchObject({ outcome: 'Warning', stoppedBy: 'The claim was lost.' });
    mailbox.onPoint = () => undefined;
    expect(await restore(parts({ journals: journalFile(journalPath) }), what)).toMatchObject({
      restored: ITEMS,
      failed: 0,
      stoppedBy: null,
    });
    expect(mailbox.items.size).toBe(ITEMS);
  });

  test('leaves alone what is there, the second time as the first', async () => {
    const what = await request();
    await restore(parts(), what);
    const result = await restore(parts(), what);
    expect(result).toMatchObject({ outcome: 'Success', restored: 0, skipped: ITEMS });
    expect(mailbox.items.size).toBe(ITEMS);
  });

  test('brings back twice what was stored twice, and takes one that is there for one of them', async () => {
    const twins = [
      ...FOLDERS,
      message('a', 'inbox', '<same>'),
      message('b', 'inbox', '<same>'),
      message('c', 'inbox', '<same>'),
    ];
    const what = await request(twins);
    await restore(parts(), what);
    expect(mailbox.items.size).toBe(3);
    const [first] = mailbox.items.keys();
    mailbox.items.delete(first ?? '');
    const result = await restore(parts(), what);
    expect(result).toMatchObject({ restored: 1, skipped: 2 });
    expect(mailbox.items.size).toBe(3);
  });

  test.each(['c1', 'c2'])(
    'does not take a contact that is there, %s, for another of its name that is not',
    async (there) => {
      const graces = ['c1', 'c2'].map((id): GivenItem => {
        return {
          id,
          kind: 'contact',
          name: 'Grace',
          parentId: 'contacts',
          contents: json({ displayName: 'Grace', id }),
        };
      });
      const what = await request([...FOLDERS, ...graces]);
      const folderId = mailbox.folder('contact-folder', 'Contacts')?.id ?? '';
      const own = { kind: 'contact', contents: new Map(), modifiedAt: mailbox.now, isWhole: true } as const;
      mailbox.items.set(there, { ...own, id: there, folderId, properties: { displayName: 'Grace', id: there } });
      expect(await restore(parts({ itemsAtOnce: 1 }), what)).toMatchObject({ restored: 1, skipped: 1 });
      expect([...mailbox.items.values()].map(({ properties }) => properties['id']).sort()).toEqual(['c1', 'c2']);
    },
  );

  test('replaces what changed when it is asked to, and doubles nothing', async () => {
    const what = await request(ALL, { conflict: 'replace' });
    await restore(parts(), what);
    paintBlue();
    const result = await restore(parts(), what);
    expect(result).toMatchObject({ replaced: ITEMS, restored: 0 });
    expect(mailbox.items.size).toBe(ITEMS);
    const inbox = mailbox.within(mailbox.folder('mail-folder', 'Boîte de réception'));
    expect(inbox[0]?.properties['categories']).toEqual(['Red']);
  });

  test('puts the stored one beside what changed when both are to stay', async () => {
    await restore(parts(), await request());
    paintBlue();
    const result = await restore(parts(), await request(ALL, { conflict: 'keep-both' }));
    expect(result.restored).toBe(ITEMS);
    expect(mailbox.items.size).toBe(2 * ITEMS);
    // The copies say what was stored, and need none of their own.
    const again = await restore(parts(), await request(ALL, { conflict: 'keep-both' }));
    expect(again).toMatchObject({ restored: 0, skipped: ITEMS });
  });

  test('looks at what it wrote itself only where it would write it again, and finds it unchanged', async () => {
    await restore(parts(), await request());
    await restore(parts(), await request());
    await restore(parts(), await request(ALL, { only: 'missing' }));
    expect(mailbox.looks).toBe(0);
    const result = await restore(parts(), await request(ALL, { conflict: 'replace' }));
    expect(result.skippedBecause).toEqual({ 'It is there, unchanged.': ITEMS });
    expect(mailbox.looks).toBe(ITEMS);
  });

  test('distinguishes twins by what they say, in whichever order they are found', async () => {
    const twins = ['Red', 'Green'].map((category): GivenItem => {
      const said = json({ displayName: 'Grace', categories: [category] });
      return { id: category, kind: 'contact', name: 'Grace', parentId: 'contacts', contents: said };
    });
    await restore(parts({ itemsAtOnce: 1 }), await request([...FOLDERS, ...twins]));
    const [first, second] = [...mailbox.items.values()];
    if (first === undefined || second === undefined) throw new Error('There are no twins.');
    mailbox.items.clear();
    for (const one of [second, first]) mailbox.items.set(one.id, one);
    const result = await restore(parts(), await request([...FOLDERS, ...twins], { conflict: 'replace' }));
    expect(result).toMatchObject({ replaced: 0, skipped: 2 });
  });

  test('brings back what is missing alone, or what changed alone', async () => {
    await restore(parts(), await request(ALL, {}, ['m1', 'e1']));
    paintBlue();
    const changed = await restore(parts(), await request(ALL, { only: 'changed', conflict: 'replace' }));
    expect(changed).toMatchObject({ replaced: 2, restored: 0, skipped: ITEMS - 2 });
    const missing = await restore(parts(), await request(ALL, { only: 'missing' }));
    expect(missing).toMatchObject({ restored: ITEMS - 2, skipped: 2 });
    expect(missing.skippedBecause).toEqual({ 'It is there, and only what is missing was asked for.': 2 });
    await expect(restore(parts(), await request(ALL, { only: 'changed' }))).rejects.toMatchObject({
      code: 'bad-request',
    });
  });

  test('leaves what is unchanged alone, whatever it may replace', async () => {
    mailbox.now = new Date('2026-11-20T10:00:00.400Z');
    await restore(parts(), await request());
    const result = await restore(parts(), await request(ALL, { conflict: 'replace' }));
    expect(result.skippedBecause).toEqual({ 'It is there, unchanged.': ITEMS });
  });

  test('goes into a folder of its own, with the tree below it', async () => {
    const into = 'Restored 2026-11-21';
    await restore(parts(), await request(ALL, { into }));
    expect(mailbox.within(mailbox.folder('mail-folder', into, 'Posteingang', 'Projekt'))).toHaveLength(1);
    expect(mailbox.within(mailbox.folder('calendar', `Geburtstage (${into})`))).toHaveLength(1);
    expect(mailbox.within(mailbox.folder('contact-folder', 'Contacts', into, 'Kontakte'))).toHaveLength(1);
    expect(mailbox.within(mailbox.folder('mail-folder', 'Boîte de réception'))).toEqual([]);
  });

  test('marks what it restored, and brings messages back unread, when asked', async () => {
    await restore(parts(), await request(ALL, { mark: true, markUnread: true }, ['m1', 't1']));
    // Items are written side by side: which is there first is not promised.
    const byKind = new Map([...mailbox.items.values()].map(({ kind, properties }) => [kind, properties]));
    expect(byKind.get('message')).toMatchObject({ categories: ['Red', 'Restored'], isRead: false });
    expect(byKind.get('task')).toMatchObject({ categories: ['Restored'] });
  });

  test('leaves out Deleted Items when asked, unless it was chosen itself', async () => {
    await restore(parts(), await request(ALL, { deletedItems: false }));
    expect(subjects()).not.toContain('Subject m3');
    await restore(parts(), await request(ALL, { deletedItems: false }, ['deleted']));
    expect(subjects()).toContain('Subject m3');
  });

  test('puts single items where they were, making the folders above them', async () => {
    const result = await restore(parts(), await request(ALL, {}, ['m2']));
    expect(result.restored).toBe(1);
    expect(mailbox.within(mailbox.folder('mail-folder', 'Boîte de réception', 'Projekt'))).toHaveLength(1);
    await expect(restore(parts(), await request(ALL, {}, ['unknown']))).rejects.toMatchObject({ code: 'not-found' });
  });

  test('brings back what was deleted since, when deleted items are shown', async () => {
    await request();
    const what = await request(ALL.slice(0, 2), {}, ['m2']);
    await restore(parts(), { ...what, scope: { ...what.scope, showDeleted: true } });
    expect(mailbox.within(mailbox.folder('mail-folder', 'Boîte de réception', 'Projekt'))).toHaveLength(1);
  });

  test('lists what fails with its reason, and goes on', async () => {
    mailbox.onPoint = (point, item) => {
      if (point === 'half' && item.properties['subject'] === 'Subject m1')
        throw new EngineError('source-refused', 'Too large for this mailbox.');
      if (point === 'half' && item.properties['subject'] === 'Subject m2') throw new TypeError('oops');
    };
    const result = await restore(parts(), await request());
    expect(result).toMatchObject({ outcome: 'Warning', restored: ITEMS - 2, failed: 2 });
    // Items are written side by side: which fails first is not promised.
    const failures = result.failures.map(({ name, path, reason }) => ({ name, path, reason }));
    expect(failures.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
      { name: 'Subject m1', path: ['Posteingang'], reason: 'Too large for this mailbox.' },
      { name: 'Subject m2', path: ['Posteingang', 'Projekt'], reason: 'Unexpected: oops' },
    ]);
  });

  test('stops where every item would fail, and says by what', async () => {
    mailbox.onPoint = () => {
      throw new EngineError('credentials-refused', 'The secret has expired.');
    };
    const result = await restore(parts(), await request());
    expect(result).toMatchObject({ outcome: 'Failed', restored: 0, stoppedBy: 'The secret has expired.' });
  });

  test.each(['create', 'replace'] as const)(
    'fails an item by name that never gets an answer to its %s, and restores the others',
    async (write) => {
      if (write === 'replace') {
        await restore(parts(), await request());
        paintBlue();
      }
      let attempts = 0;
      mailbox.onWrite = (kind, item) => {
        if (kind !== write || item.properties['subject'] !== 'Subject m1') return;
        attempts += 1;
        throw new EngineError('source-unreachable', 'No answer.', { cause: new Error('read ECONNRESET') });
      };
      const result = await restore(parts(), await request(ALL, { conflict: 'replace' }));
      expect(attempts).toBeGreaterThan(1);
      expect(result).toMatchObject({ outcome: 'Warning', failed: 1, stoppedBy: null, notBegun: 0 });
      expect(result.restored + result.replaced).toBe(ITEMS - 1);
      expect(result.failures).toEqual([
        expect.objectContaining({ name: 'Subject m1', reason: expect.stringContaining('read ECONNRESET') }),
      ]);
    },
  );

  test('stops when the target answers nothing any more, and counts what was not begun', async () => {
    const find = mailbox.find.bind(mailbox);
    let isDown = false;
    mailbox.find = async (...given) => {
      if (isDown) throw new EngineError('source-unreachable', 'No answer.', { isRetryable: true });
      return find(...given);
    };
    mailbox.onWrite = () => {
      if (mailbox.items.size < 2) return;
      isDown = true;
      throw new EngineError('source-unreachable', 'No answer.', { isRetryable: true });
    };
    const result = await restore(parts({ itemsAtOnce: 1 }), await request());
    expect(result).toMatchObject({ outcome: 'Warning', restored: 2, failed: 0, stoppedBy: 'No answer.' });
    expect(result.notBegun).toBe(ALL.length - result.containers - result.restored);
    expect(result.notBegun).toBeGreaterThan(0);
  });

  test('writes an item once although the answer to its writing was lost', async () => {
    let losses = 2;
    mailbox.onPoint = (point, item) => {
      if (point !== 'unanswered' || item.properties['subject'] !== 'Subject m1' || losses === 0) return;
      losses -= 1;
      mailbox.items.set('late', { ...[...mailbox.items.values()][0], id: 'late' } as never);
      throw new EngineError('source-unreachable', 'No answer.', { isRetryable: true });
    };
    const result = await restore(parts({ itemsAtOnce: 1 }), await request(ALL, {}, ['m1']));
    expect(result).toMatchObject({ outcome: 'Success', restored: 1 });
    expect(mailbox.items.size).toBe(1);
  });

  test('reports every item, and how far it is', async () => {
    const reported: string[] = [];
    let progress = 0;
    await restore(
      parts({ onItem: ({ id }) => reported.push(id), onProgress: ({ totalItems }) => (progress = totalItems) }),
      await request(),
    );
    expect(reported.sort()).toEqual(['c1', 'e1', 'e2', 'm1', 'm2', 'm3', 't1']);
    expect(progress).toBe(ALL.length);
  });
});

describe('a restore that is killed', () => {
  const many = [
    ...FOLDERS,
    ...Array.from({ length: 30 }, (_, at) => message(`n${at}`, at % 2 ? 'inbox' : 'project', `<${at % 20}>`)),
  ];

  test.each(['skip', 'replace', 'keep-both'] as const)(
    'anywhere, again and again, leaves nothing doubled, half or missing: %s',
    async (conflict) => {
      const journalPath = stored.file('restore.jsonl');
      mailbox.items.set('own', {
        id: 'own',
        folderId: 'target-1',
        kind: 'message',
        properties: { internetMessageId: '<1>' },
        contents: new Map(),
        modifiedAt: mailbox.now,
        isWhole: true,
      });
      const what = await request(many, { conflict });
      let points = 0;
      let deaths = 0;
      // Every attempt dies some points later than the one before, at each of the three kinds of points in turn.
      for (let result = null; result === null; ) {
        let left = 3 + (deaths % 7);
        mailbox.onPoint = () => {
          points += 1;
          left -= 1;
          if (left === 0 && deaths < 40) throw KILLED;
        };
        result = await restore(parts({ journals: journalFile(journalPath) }), what).catch((error: unknown) => {
          if (error !== KILLED) throw error;
          deaths += 1;
          return null;
        });
        if (result !== null) expect(result).toMatchObject({ outcome: 'Success', failed: 0 });
        if (result !== null) expect(result.restored + result.replaced + result.skipped).toBe(30);
      }
      expect(deaths).toBeGreaterThan(10);
      expect(points).toBeGreaterThan(60);
      const restored = [...mailbox.items.values()];
      expect(restored.every(({ isWhole }) => isWhole)).toBe(true);
      expect(restored).toHaveLength(conflict === 'keep-both' ? 31 : 30);
      expect(existsSync(journalPath)).toBe(false);
    },
  );

  const twin = (id: string, jobTitle: string): GivenItem => ({
    id,
    kind: 'contact',
    name: 'Grace',
    parentId: 'contacts',
    contents: { ...json({ displayName: 'Grace', jobTitle }), 'attachments/photo': `photo of ${id}` },
  });
  const titles = () => [...mailbox.items.values()].map(({ properties }) => properties['jobTitle']).sort();

  test.each(['skip', 'replace', 'keep-both'] as const)(
    'between two contacts of one name has both, and the one that a person made of that name meanwhile: %s',
    async (conflict) => {
      const what = await request([...FOLDERS, twin('c1', 'Admiral'), twin('c2', 'Professor')], { conflict });
      for (const point of ['before', 'half', 'unanswered'] as const) {
        const journalPath = stored.file(`${point}.jsonl`);
        mailbox.items.clear();
        let writes = 0;
        mailbox.onPoint = (at) => {
          if (at === point && ++writes === 2) throw KILLED;
        };
        await expect(restore(parts({ journals: journalFile(journalPath), itemsAtOnce: 1 }), what)).rejects.toBe(KILLED);
        mailbox.onPoint = () => undefined;
        const folderId = mailbox.folder('contact-folder', 'Contacts')?.id ?? '';
        await mailbox.create(folderId, {
          kind: 'contact',
          properties: { displayName: 'Grace', jobTitle: 'Neighbour' },
          contents: [],
        });
        expect(await restore(parts({ journals: journalFile(journalPath) }), what)).toMatchObject({
          outcome: 'Success',
          failed: 0,
        });
        expect(titles()).toEqual(['Admiral', 'Neighbour', 'Professor']);
        expect([...mailbox.items.values()].every(({ isWhole }) => isWhole)).toBe(true);
      }
    },
  );

  test('at two contacts of one name, in one attempt and in the next, finds what was left of each', async () => {
    const journalPath = stored.file('restore.jsonl');
    const what = await request([...FOLDERS, twin('c1', 'Admiral'), twin('c2', 'Professor')]);
    mailbox.onPoint = () => {
      throw KILLED;
    };
    await expect(restore(parts({ journals: journalFile(journalPath), itemsAtOnce: 1 }), what)).rejects.toBe(KILLED);
    // The next attempt came to the other one first, and died while it wrote that.
    const [, begun = ''] = (await readFile(journalPath, 'utf8')).split('\n');
    const [left, title] = begun.includes('"c1"') ? ['c2', 'Professor'] : ['c1', 'Admiral'];
    await appendFile(journalPath, `{"type":"begun","item":"${left}","before":[]}\n`);
    const folderId = mailbox.folder('contact-folder', 'Contacts')?.id ?? '';
    mailbox.onPoint = () => undefined;
    const properties = { displayName: 'Grace', jobTitle: title };
    await mailbox.create(folderId, { kind: 'contact', properties, contents: [] });
    expect(await restore(parts({ journals: journalFile(journalPath) }), what)).toMatchObject({
      outcome: 'Success',
      restored: 2,
    });
    expect(titles()).toEqual(['Admiral', 'Professor']);
    expect([...mailbox.items.values()].every(({ contents }) => contents.size > 0)).toBe(true);
  });

  test('goes on after a line that was torn, and not for another restore', async () => {
    const journalPath = stored.file('restore.jsonl');
    mailbox.onPoint = (_, item) => {
      if (item.properties['subject'] === 'Subject n3') throw KILLED;
    };
    const what = await request(many);
    await expect(restore(parts({ journals: journalFile(journalPath), itemsAtOnce: 1 }), what)).rejects.toBe(KILLED);
    await appendFile(journalPath, '{"type":"done","item":"n3","outc');
    mailbox.onPoint = () => undefined;
    await expect(restore(parts({ journals: journalFile(journalPath) }), { ...what, to: 'elsewhere' })).rejects.toThrow(
      /another restore/,
    );
    expect(await restore(parts({ journals: journalFile(journalPath) }), what)).toMatchObject({ restored: 30 });
    expect(mailbox.items.size).toBe(30);
  });

  test('at its end, with failures too, is over: asked for again it looks at everything again', async () => {
    const journalPath = stored.file('restore.jsonl');
    mailbox.onPoint = (_, item) => {
      if (item.properties['subject'] === 'Subject n3') throw new EngineError('source-refused', 'Not now.');
    };
    const what = await request(many);
    expect(await restore(parts({ journals: journalFile(journalPath) }), what)).toMatchObject({
      outcome: 'Warning',
      restored: 29,
      failed: 1,
    });
    expect(existsSync(journalPath)).toBe(false);
    // What the item that failed had left half-written is gone.
    expect([...mailbox.items.values()].filter(({ isWhole }) => !isWhole)).toEqual([]);
    mailbox.onPoint = () => undefined;
    for (const [id, { properties }] of mailbox.items)
      if (properties['subject'] === 'Subject n5') mailbox.items.delete(id);
    expect(await restore(parts({ journals: journalFile(journalPath) }), what)).toMatchObject({
      outcome: 'Success',
      restored: 2,
      skipped: 28,
      failed: 0,
    });
    expect(mailbox.items.size).toBe(30);
  });

  test('on request says so, and goes on later', async () => {
    const journalPath = stored.file('restore.jsonl');
    const stopping = new AbortController();
    const onItem = () => stopping.abort(new EngineError('stopped', 'Stopped on request.'));
    const what = await request(many);
    expect(
      await restore(parts({ journals: journalFile(journalPath), signal: stopping.signal, onItem }), what),
    ).toMatchObject({
      outcome: 'Stopped',
    });
    expect(await restore(parts({ journals: journalFile(journalPath) }), what)).toMatchObject({
      outcome: 'Success',
      restored: 30,
    });
    expect(mailbox.items.size).toBe(30);
  });
});

describe('the plan of a restore', () => {
  test('says exactly what the restore then does, and changes nothing', async () => {
    await restore(parts(), await request(ALL, {}, ['m1', 'e1']));
    const before = JSON.stringify([mailbox.folders, [...mailbox.items]]);
    const what = await request(ALL, { conflict: 'replace' });
    const plan = await planRestore(parts(), what);
    expect(JSON.stringify([mailbox.folders, [...mailbox.items]])).toBe(before);
    const result = await restore(parts(), what);
    expect(plan).toMatchObject({
      created: result.restored,
      replaced: result.replaced,
      skipped: result.skipped,
      containers: 2,
    });
    expect(plan.bytes).toBeGreaterThanOrEqual(result.bytes);
  });
});
