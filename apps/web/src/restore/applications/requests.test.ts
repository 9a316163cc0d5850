import { expect, test } from 'vitest';
import { entryIn, objectEntry } from '../explorer/entry.ts';
import { readPath, writePath } from '../explorer/path.ts';
import { outlook } from './outlook.ts';
import { sharepoint } from './sharepoint.ts';
import { teams } from './teams.ts';

const ada = objectEntry('mailbox', 'm1', 'Ada');
const bob = objectEntry('mailbox', 'm2', 'Bob');

test('restores the items of each mailbox with one call, and each folder with one of its own', () => {
  const chosen = [
    entryIn(ada, 'message', '1', 'One'),
    entryIn(ada, 'event', '2', 'Two'),
    entryIn(bob, 'message', '3', 'Three'),
    entryIn(ada, 'mail-folder', 'f1', 'Inbox'),
    entryIn(ada, 'mail-folder', 'f2', 'Offers'),
  ];
  expect(outlook.restoresOf(chosen).map(({ name }) => name)).toEqual(['One and 1 more', 'Three', 'Inbox', 'Offers']);
});

test('saves one message as MSG or EML too, and several as PST or ZIP alone', () => {
  const one = entryIn(ada, 'message', '1', 'One');
  expect(outlook.downloadsOf([one])[0]?.formats).toEqual(['pst', 'msg', 'eml', 'zip']);
  expect(outlook.downloadsOf([one, entryIn(ada, 'message', '2', 'Two')])[0]?.formats).toEqual(['pst', 'zip']);
});

test('separates documents of a site by library, and rows by list', () => {
  const site = objectEntry('site', 's1', 'Shop');
  const list = { ...entryIn(site, 'list', 'l1', 'Orders'), within: 'l1' };
  const chosen = [
    entryIn(site, 'document', 'lib1:a', 'A'),
    entryIn(site, 'document', 'lib2:b', 'B'),
    entryIn(site, 'document', 'lib1:c', 'C'),
    entryIn(list, 'item', 'i1', 'Order 1'),
    entryIn(list, 'item', 'i2', 'Order 2'),
  ];
  expect(sharepoint.restoresOf(chosen).map(({ name }) => name)).toEqual(['A and 1 more', 'B', 'Order 1 and 1 more']);
  expect(sharepoint.downloadsOf(chosen).map(({ name }) => name)).toEqual(['A and 1 more', 'B']);
});

test('restores posts by their channel, which a search result has in its id', () => {
  const team = objectEntry('team', 't1', 'Sales');
  const chosen = [entryIn(team, 'post', 'c1/messages/1', 'Hello'), entryIn(team, 'post', 'c1/messages/2', 'Again')];
  expect(teams.restoresOf(chosen)).toHaveLength(1);
  expect(teams.downloadsOf(chosen).map(({ formats }) => formats)).toEqual([['zip']]);
  const tab = entryIn(team, 'tab', 'tab1', 'Wiki');
  const person = objectEntry('chats', 'u1-chats', 'Ada (chats)');
  expect(teams.downloadsOf([tab])).toEqual([]);
  expect(teams.restoresOf([person])).toEqual([]);
  expect(teams.refusesRestore?.(person)).toContain('no application');
});

test('reads a path back from an address as it was written, and ends it at what is malformed', () => {
  const site = objectEntry('site', 'contoso.test,1,2', 'Shop ~ inside');
  const content = entryIn(site, 'content', 'contoso.test,1,2-content', 'Content');
  const library = { ...entryIn(content, 'library', 'lib/1', 'Documents'), within: 'lib/1' };
  const path = [site, content, library, entryIn(library, 'folder', 'lib/1:f', 'Offers')];
  expect(readPath(writePath(path))).toEqual(path);
  expect(readPath(['nothing', ...writePath(path)])).toEqual([]);
  expect(readPath([...writePath(path.slice(0, 1)), 'folder~%E0%A4~x'])).toEqual([site]);
});
