import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GivenItem, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { isInstalled } from '../testing/is-installed.ts';
import { exportMessageArchive } from './message-archive.ts';
import { unzipped } from './testing/unzipped.ts';

const TEAM: ProtectedObject = { ...MAILBOX, kind: 'team', id: 'team-1', name: 'Finance <b>', address: null };
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());

const json = (value: object) => ({ properties: JSON.stringify(value) });
const channel = (id: string, name: string): GivenItem => ({
  id,
  kind: 'channel',
  name,
  contents: json({ displayName: name }),
});

function message(id: string, at: string, content: string, over: object = {}): GivenItem {
  const isReply = id.includes('/replies/');
  return {
    id,
    kind: isReply ? 'reply' : 'post',
    name: id,
    parentId: id.replace(/\/messages\/.*/, ''),
    details: { from: 'Ada <script>', sentAt: at, createdAt: at },
    modifiedAt: new Date(at),
    contents: {
      ...json({ createdDateTime: at, body: { contentType: 'html', content }, ...over }),
      ...('hosted' in over ? { 'hosted/p1': PNG } : {}),
    },
  };
}

const hasPython = isInstalled('python3', 'python3');

test.runIf(hasPython)(
  'The posts of a team are pages with replies, reactions and pictures, in the order of time, and nothing in them runs',
  async () => {
    const picture =
      '<img src="https://graph.microsoft.com/v1.0/teams/1/channels/2/messages/3/hostedContents/p1/$value">';
    const items = [
      channel('general', 'General'),
      channel('empty', 'Empty & "quoted"'),
      message('general/messages/2', '2026-11-02T09:00:00Z', '<p>Second</p><script>alert(1)</script>', {
        reactions: [{ reactionType: 'like' }, { reactionType: 'like' }],
      }),
      message('general/messages/1', '2026-11-02T08:00:00Z', `<p onclick="x()">First</p>${picture}`, {
        subject: 'A <subject>',
        hosted: true,
      }),
      message('general/messages/1/replies/8', '2026-11-02T10:00:00Z', 'Later reply'),
      message('general/messages/1/replies/7', '2026-11-02T09:30:00Z', 'Early reply'),
      message('general/messages/3', '2026-11-02T11:00:00Z', 'gone', { deletedDateTime: '2026-11-03T00:00:00Z' }),
    ];
    const scope = { ...(await stored.backUp(TEAM, items)), items: null };
    const path = stored.file('team.zip');
    const parts = { repository: stored.repository, catalog: stored.catalog, signal: new AbortController().signal };
    const result = await exportMessageArchive(parts, scope, path);
    expect(result).toMatchObject({ items: 5, missing: [] });
    const files = unzipped(path);
    expect([...files.keys()].sort()).toEqual([
      'channel-1.html',
      'channel-2.html',
      'images/1.png',
      'index.html',
      'style.css',
    ]);
    expect(files.get('images/1.png')?.equals(PNG)).toBe(true);
    const pages = [...files].filter(([name]) => name.endsWith('.html')).map(([, bytes]) => bytes.toString());
    for (const html of pages) expect(html).not.toMatch(/<script|onclick|<subject|https:\/\/graph/i);
    const general = pages.find((html) => html.includes('First')) ?? '';
    const order = ['First', 'Early reply', 'Later reply', 'Second'].map((text) => general.indexOf(text));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(order[0]).toBeGreaterThan(0);
    expect(general).toContain('<img src="images/1.png" alt="">');
    expect(general).toContain('Reactions: like 2');
    expect(general).toContain('A &lt;subject&gt;');
    expect(general).toContain('This message was deleted.');
    expect(general).not.toContain('gone');
  },
);

test.runIf(hasPython)('Chats are pages in the same way, those that were chosen alone', async () => {
  const chat = (id: string, name: string): GivenItem => ({ id, kind: 'chat', name, contents: json({ topic: name }) });
  const said = (id: string, at: string, content: string) => ({
    ...message(id, at, content),
    kind: 'chat-message' as const,
  });
  const items = [
    chat('19:a', 'Lunch'),
    chat('19:b', 'Secret plans'),
    said('19:a/messages/2', '2026-11-02T09:00:00Z', 'Second'),
    said('19:a/messages/1', '2026-11-02T08:00:00Z', '<b>First</b><iframe src="https://evil.example"></iframe>'),
    said('19:b/messages/3', '2026-11-02T08:00:00Z', 'hidden from the one who exports Lunch'),
  ];
  const chats: ProtectedObject = { ...TEAM, kind: 'chats', name: 'Ada' };
  const scope = { ...(await stored.backUp(chats, items)), items: ['19:a'] };
  const path = stored.file('chats.zip');
  const parts = { repository: stored.repository, catalog: stored.catalog, signal: new AbortController().signal };
  expect(await exportMessageArchive(parts, scope, path)).toMatchObject({ items: 2, missing: [] });
  const files = unzipped(path);
  expect([...files.keys()].sort()).toEqual(['chat-1.html', 'index.html', 'style.css']);
  const html = files.get('chat-1.html')?.toString() ?? '';
  expect(html.indexOf('<b>First</b>')).toBeGreaterThan(0);
  expect(html.indexOf('Second')).toBeGreaterThan(html.indexOf('First'));
  expect(html).not.toMatch(/iframe|hidden from/);
  const one = { ...scope, items: ['19:a/messages/2'] };
  const onePath = stored.file('one.zip');
  expect(await exportMessageArchive(parts, one, onePath)).toMatchObject({ items: 1, missing: [] });
  const only = unzipped(onePath).get('chat-1.html')?.toString() ?? '';
  expect([only.includes('Second'), only.includes('First')]).toEqual([true, false]);
  const none = { ...scope, items: ['19:a/messages/9'] };
  await expect(exportMessageArchive(parts, none, path)).rejects.toMatchObject({ code: 'bad-request' });
});
