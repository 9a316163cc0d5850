import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DRIVE, folder, type GivenItem, json, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { isInstalled } from '../testing/is-installed.ts';
import { exportEml, exportMsg } from './outlook-file.ts';
import { exportPst, type PstOptions } from './pst-export.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());

const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal: new AbortController().signal });

const mimeOf = (subject: string, body = 'Hello') =>
  `From: Grace <grace@partner.example>\r\nTo: ada@contoso.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@partner.example>\r\nDate: Mon, 02 Nov 2026 08:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${body}\r\n--b\r\nContent-Type: application/pdf; name=offer.pdf\r\nContent-Disposition: attachment; filename=offer.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from('PDF bytes').toString('base64')}\r\n--b--\r\n`;

function message(id: string, subject: string, parentId = 'inbox', properties: object = {}): GivenItem {
  const all = { isRead: true, receivedDateTime: '2026-11-02T08:00:05Z', categories: ['Red'], ...properties };
  return {
    id,
    kind: 'message',
    name: subject,
    parentId,
    contents: { properties: JSON.stringify(all), mime: mimeOf(subject) },
  };
}

const EVENT = {
  subject: 'Status call',
  start: { dateTime: '2026-11-02T08:00:00.0000000', timeZone: 'UTC' },
  end: { dateTime: '2026-11-02T08:15:00.0000000', timeZone: 'UTC' },
  originalStartTimeZone: 'W. Europe Standard Time',
  body: { contentType: 'html', content: '<p>Daily</p>' },
  location: { displayName: 'Raum 4.21' },
  organizer: { emailAddress: { name: 'Ada', address: 'ada@contoso.example' } },
  attendees: [
    {
      type: 'required',
      status: { response: 'accepted' },
      emailAddress: { name: 'Grace', address: 'grace@partner.example' },
    },
  ],
  recurrence: {
    pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'], firstDayOfWeek: 'monday' },
    range: {
      type: 'numbered',
      startDate: '2026-11-02',
      numberOfOccurrences: 5,
      recurrenceTimeZone: 'W. Europe Standard Time',
    },
  },
  cancelledOccurrences: ['OID.e1.2026-11-09'],
  exceptionOccurrences: [
    {
      subject: 'Status call, later',
      originalStart: '2026-11-16T08:00:00Z',
      start: { dateTime: '2026-11-16T10:00:00.0000000', timeZone: 'UTC' },
      end: { dateTime: '2026-11-16T10:15:00.0000000', timeZone: 'UTC' },
      location: { displayName: 'Raum 4.21' },
    },
  ],
  attachments: [{ id: 'a1', name: 'agenda.txt', contentType: 'text/plain' }],
};

const ALL: readonly GivenItem[] = [
  folder('inbox', 'mail-folder', 'Posteingang', 'inbox'),
  folder('deep', 'mail-folder', 'Projekt: Ärger', undefined, 'inbox'),
  folder('gone', 'mail-folder', 'Gelöschte Elemente', 'deleteditems'),
  folder('cal', 'calendar', 'Kalender', 'default'),
  folder('people', 'contact-folder', 'Kontakte', 'default'),
  folder('todo', 'task-list', 'Aufgaben', 'default'),
  message('m1', 'Offer-one'),
  message('m2', 'Offer-two', 'deep'),
  message('m3', 'Waste', 'gone'),
  {
    id: 'e1',
    kind: 'event',
    name: 'Status call',
    parentId: 'cal',
    contents: { ...json(EVENT), 'attachments/a1': 'Agenda' },
  },
  {
    id: 'c1',
    kind: 'contact',
    name: 'Grace Hopper',
    parentId: 'people',
    contents: json({
      displayName: 'Grace Hopper',
      givenName: 'Grace',
      surname: 'Hopper',
      emailAddresses: [{ name: 'Grace', address: 'grace@partner.example' }],
    }),
  },
  {
    id: 't1',
    kind: 'task',
    name: 'Buy milk',
    parentId: 'todo',
    contents: json({
      title: 'Buy milk',
      status: 'notStarted',
      checklistItems: [{ displayName: 'Two litres', isChecked: true }],
    }),
  },
];

async function exported(
  items: readonly GivenItem[],
  options: PstOptions = {},
  chosen: readonly string[] | null = null,
) {
  const scope = { ...(await stored.backUp(MAILBOX, items)), items: chosen };
  const result = await exportPst(parts(), scope, stored.file('mailbox.pst'), options);
  return result;
}

/** Files that libpff makes of a PST: folders by their names, items by their parts. */
async function unpacked(path: string): Promise<Map<string, Buffer>> {
  const target = await mkdtemp(join(stored.folder, 'out-'));
  execFileSync('pffexport', ['-q', '-t', join(target, 'x'), path]);
  const entries = await readdir(join(target, 'x.export'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }) => {
    const place = join(parentPath, name);
    return [place.slice(join(target, 'x.export').length + 1), await readFile(place)] as const;
  });
  return new Map(await Promise.all(read));
}

const hasPffexport = isInstalled('pffexport', 'pff-tools');
const hasReadpst = isInstalled('readpst', 'pst-utils');

describe('a mailbox as PST', () => {
  test.runIf(hasPffexport)(
    'is read by another program with every folder, message, attachment, event, contact and task',
    async () => {
      const result = await exported(ALL);
      expect(result).toMatchObject({ items: 6, missing: [] });
      const files = await unpacked(result.files[0] ?? '');
      const names = [...files.keys()].join('\n');
      for (const name of ['Posteingang', 'Projekt', 'Kalender', 'Kontakte', 'Aufgaben']) expect(names).toContain(name);
      expect(
        [...files].filter(([name, bytes]) => /offer\.pdf$/.test(name) && bytes.toString() === 'PDF bytes'),
      ).toHaveLength(3);
      expect([...files].some(([name, bytes]) => /agenda\.txt$/.test(name) && bytes.toString() === 'Agenda')).toBe(true);
      const text = [...files.values()].map((bytes) => bytes.toString('latin1')).join('\n');
      for (const words of [
        'Offer-one',
        'Offer-two',
        'Waste',
        'Status call',
        'Raum 4.21',
        'Hopper',
        'Buy milk',
        'Two litres',
      ])
        expect(text).toContain(words);
    },
  );

  test.runIf(hasReadpst)('is read by readpst too, each message once', async () => {
    const { files } = await exported(ALL);
    const target = await mkdtemp(join(stored.folder, 'readpst-'));
    execFileSync('readpst', ['-j', '0', '-q', '-r', '-o', target, files[0] ?? ''], { stdio: 'pipe' });
    const all = (await readdir(target, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const texts = await Promise.all(all.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
    const subjects = texts.join('\n').match(/^Subject: (?:Offer-one|Offer-two|Waste)$/gm);
    expect(subjects?.sort()).toEqual(['Subject: Offer-one', 'Subject: Offer-two', 'Subject: Waste']);
  });

  test('names a message that cannot be read, and contains all others', async () => {
    const broken: GivenItem = { id: 'm4', kind: 'message', name: 'No bytes', parentId: 'inbox', contents: json({}) };
    const result = await exported([...ALL, broken]);
    expect(result.items).toBe(6);
    expect(result.missing).toEqual([
      { id: 'm4', name: 'No bytes', path: ['Posteingang'], reason: expect.stringContaining('without its MIME') },
    ]);
  });

  test('names a message whose parts cannot be found, and writes its source as text', async () => {
    const contents = {
      ...json({}),
      mime: 'Subject: Torn\r\nContent-Type: multipart/mixed; boundary=A\r\n\r\nsource\r\n',
    };
    const torn: GivenItem = { id: 'm5', kind: 'message', name: 'Torn', parentId: 'inbox', contents };
    const result = await exported([...ALL, torn]);
    expect(result).toMatchObject({
      items: 7,
      missing: [],
      changed: [{ id: 'm5', path: ['Posteingang'], reason: expect.stringContaining('its source is in the text') }],
    });
  });

  test.runIf(hasPffexport)('goes on in further files where one would grow too large', async () => {
    const many = Array.from({ length: 40 }, (_, at) => message(`m${at}`, `Number-${at}`));
    const result = await exported([...ALL.slice(0, 1), ...many], { partSizeBytes: 400_000 });
    expect(result.files.length).toBeGreaterThan(1);
    expect(result.items).toBe(40);
    const seen = (await Promise.all(result.files.map(unpacked))).flatMap((files) =>
      [...files.keys()].filter((name) => name.endsWith('offer.pdf')),
    );
    expect(seen).toHaveLength(40);
  });

  test('contains a folder, or an item, alone when that was chosen', async () => {
    expect((await exported(ALL, {}, ['deep'])).items).toBe(1);
    expect((await exported(ALL, {}, ['m1', 'e1'])).items).toBe(2);
  });

  test('contains what a word occurs in, when one is given', async () => {
    expect((await exported(ALL, { keyword: 'OFFER' })).items).toBe(2);
  });

  test('refuses a drive', async () => {
    const scope = { ...(await stored.backUp(DRIVE, [])), items: null };
    await expect(exportPst(parts(), scope, 'x.pst')).rejects.toMatchObject({ code: 'bad-request' });
  });
});

describe('an item as a file', () => {
  async function item(id: string) {
    const { object, revision } = await stored.backUp(MAILBOX, ALL);
    const found = await stored.catalog.item(object.key, revision, id);
    if (found === null) throw new Error(id);
    return found;
  }

  test('is, as EML, the bytes the mail server gave', async () => {
    const path = stored.file('m.eml');
    await exportEml(parts(), await item('m1'), path);
    expect(await readFile(path, 'utf8')).toBe(mimeOf('Offer-one'));
  });

  test.each(['m1', 'e1', 'c1', 't1'])('of every kind can be an MSG: %s', async (id) => {
    const path = stored.file('item.msg');
    await exportMsg(parts(), await item(id), path);
    expect((await readFile(path)).subarray(0, 8).toString('hex')).toBe('d0cf11e0a1b11ae1');
    expect((await stat(path)).size).toBeGreaterThan(1_000);
  });

  test('is no EML when it is no message', async () => {
    await expect(exportEml(parts(), await item('e1'), 'x.eml')).rejects.toThrow(/MSG or PST/);
  });
});
