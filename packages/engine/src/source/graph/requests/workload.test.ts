import { describe, expect, it } from 'vitest';
import { resourceUnitsOf, workloadOf } from './workload.ts';

describe('The workload of a call', () => {
  it.each([
    ['/users/Ada@Contoso.example/mailFolders/inbox/messages/delta?$skiptoken=1', 'mailbox/ada@contoso.example'],
    ['/users/42/events', 'mailbox/42'],
    ['/users/42/todo/lists', 'mailbox/42'],
    ['/me/messages/1', 'mailbox/me'],
    ['/admin/exchange/mailboxes/MBX%3A1/exportItems', 'mailbox/mbx%3a1'],
    ['/drives/d/root/delta', 'sharepoint'],
    ['/users/42/drives', 'sharepoint'],
    ['/groups/g/sites', 'sharepoint'],
    ['/sites/getAllSites', 'sharepoint'],
    ['/teams/t/channels', 'teams'],
    ['/users/42/chats/getAllMessages()', 'teams'],
    ['/users/42', 'directory'],
    ['/groups/g/transitiveMembers', 'directory'],
  ])('of %s is %s', (path, key) => {
    expect(workloadOf(path).key).toBe(key);
  });

  it.each([
    ['GET', '/drives/d/root/delta', 2],
    ['GET', '/drives/d/root/delta?token=abc', 1],
    ['GET', '/drives/d/items/i/content', 1],
    ['GET', '/drives/d/items/i/children', 2],
    ['GET', '/drives/d/items/i/permissions', 5],
    ['PUT', '/drives/d/items/i/content', 2],
  ])('%s %s costs %i resource units', (method, path, units) => {
    expect(resourceUnitsOf(method, path)).toBe(units);
  });
});
