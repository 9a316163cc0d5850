import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from './server.ts';
import { GraphDescription, isDescribed } from './testing/graph-description.ts';
import { TenantClient } from './testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from './wire/json.ts';

if (!isDescribed)
  console.warn('SKIPPED: replies are not checked against the description of Microsoft Graph, it is not there.');

let tenant: RunningTenant;
let client: TenantClient;
const names: Record<string, string> = {};

beforeAll(async () => {
  tenant = await startTenant({ now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  const first = async (path: string) =>
    textOf(valueAt(objectsOf(valueAt((await client.get(path)).body, 'value'))[0], 'id')) ?? '';
  names['team'] = await first('/teams');
  names['channel'] = await first(`/teams/${names['team']}/channels`);
  names['user'] = tenant.tenant.directory.users[1]?.id ?? '';
  names['chat'] = await first(`/users/${names['user']}/chats`);
  names['site'] = textOf(valueAt((await client.get('/sites/contoso.sharepoint.com:/sites/intranet')).body, 'id')) ?? '';
  const drive = (await client.get(`/users/${names['user']}/drive`)).body;
  names['drive'] = textOf(valueAt(drive, 'id')) ?? '';
  const file = (await client.get(`/users/${names['user']}/drive/root:/Budget.xlsx`)).body;
  names['item'] = textOf(valueAt(file, 'id')) ?? '';
});
afterAll(() => tenant.stop());

const replies: readonly [string, string][] = [
  ['drive', '/users/{user}/drive'],
  ['drive', '/sites/{site}/drives'],
  ['driveItem', '/drives/{drive}/root'],
  ['driveItem', '/drives/{drive}/root/children'],
  ['driveItem', '/drives/{drive}/root/delta'],
  ['driveItem', '/drives/{drive}/items/{item}?$expand=children,permissions,versions'],
  ['driveItem', '/drives/{drive}/items/{item}?$select=id,sharepointIds'],
  ['driveItemVersion', '/drives/{drive}/items/{item}/versions'],
  ['permission', '/drives/{drive}/items/{item}/permissions'],
  ['listItem', '/drives/{drive}/items/{item}/listItem?$expand=fields'],
  ['list', '/drives/{drive}/list'],
  ['site', '/sites?search=*'],
  ['site', '/sites/getAllSites()'],
  ['site', '/sites/delta()'],
  ['site', '/sites/{site}'],
  ['site', '/sites/{site}/sites'],
  ['contentType', '/sites/{site}/contentTypes'],
  ['list', '/sites/{site}/lists?$expand=columns,contentTypes'],
  ['columnDefinition', '/sites/{site}/lists/Inventory/columns'],
  ['contentType', '/sites/{site}/lists/Inventory/contentTypes'],
  ['listItem', '/sites/{site}/lists/Inventory/items?$expand=fields'],
  ['listItem', '/sites/{site}/lists/Inventory/items/delta?$expand=fields'],
  ['listItemVersion', '/sites/{site}/lists/Inventory/items/1/versions?$expand=fields'],
  ['listItem', '/sites/{site}/lists/Documents/items?$expand=fields,driveItem'],
  ['team', '/teams'],
  ['team', '/teams/{team}'],
  ['team', '/groups/{team}/team'],
  ['conversationMember', '/teams/{team}/members'],
  ['channel', '/teams/{team}/allChannels'],
  ['conversationMember', '/teams/{team}/channels/{channel}/members'],
  ['driveItem', '/teams/{team}/channels/{channel}/filesFolder'],
  ['chatMessage', '/teams/{team}/channels/{channel}/messages?$top=50&$expand=replies'],
  ['chatMessage', '/teams/{team}/channels/{channel}/messages/delta'],
  ['chatMessage', '/teams/{team}/channels/getAllMessages()'],
  ['teamsTab', '/teams/{team}/channels/{channel}/tabs?$expand=teamsApp'],
  ['teamsAppInstallation', '/teams/{team}/installedApps?$expand=teamsApp,teamsAppDefinition'],
  ['chat', '/users/{user}/chats?$expand=members'],
  ['chatMessage', '/users/{user}/chats/getAllMessages()'],
  ['conversationMember', '/chats/{chat}/members'],
  ['chatMessage', '/chats/{chat}/messages'],
];

test.runIf(isDescribed).each(replies)(
  'a %s of %s has no name and no value that the description does not know',
  async (type, path) => {
    const description = new GraphDescription();
    const { status, body } = await client.get(path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ''));
    expect(status).toBe(200);
    const value = valueAt(body, 'value');
    const entities = Array.isArray(value) ? value : [body];
    expect(entities.length).toBeGreaterThan(0);
    expect([...new Set(entities.flatMap((entity: unknown) => description.faultsOf(type, entity)))]).toEqual([]);
  },
);
