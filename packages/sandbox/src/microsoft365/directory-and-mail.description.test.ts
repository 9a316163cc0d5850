import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from './server.ts';
import { GraphDescription, isDescribed } from './testing/graph-description.ts';
import { TenantClient } from './testing/tenant-client.ts';
import { isObject, objectsOf, valueAt } from './wire/json.ts';

if (!isDescribed) {
  console.warn('SKIPPED: replies are not checked against the description of Microsoft Graph, it is not there.');
}

let tenant: RunningTenant;
let client: TenantClient;
const names: Record<string, string> = {};

beforeAll(async () => {
  tenant = await startTenant({ budgets: false, now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  names['user'] = tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.id ?? '';
  const settings = await client.get(`/users/${names['user']}/settings/exchange`);
  names['mailbox'] = String(valueAt(settings.body, 'primaryMailboxId'));
  names['principal'] = tenant.tenant.applications.findPrincipalByAppId(tenant.application.clientId)?.id ?? '';
});
afterAll(() => tenant.stop());

const inbox = '/users/{user}/mailFolders/inbox';
const window = 'startDateTime=2026-01-01T00:00:00Z&endDateTime=2026-12-31T00:00:00Z';
const replies: readonly [string, string][] = [
  ['organization', '/organization'],
  ['subscribedSku', '/subscribedSkus'],
  ['domain', '/domains'],
  ['user', '/users?$select=*'],
  ['user', '/users/delta'],
  ['user', '/users/{user}'],
  ['licenseDetails', '/users/{user}/licenseDetails'],
  ['mailboxSettings', '/users/{user}/mailboxSettings'],
  ['directoryObject', '/users/{user}/memberOf'],
  ['group', '/groups'],
  ['application', '/applications'],
  ['servicePrincipal', '/servicePrincipals'],
  ['appRoleAssignment', '/servicePrincipals/{principal}/appRoleAssignments'],
  ['mailFolder', '/users/{user}/mailFolders?$expand=childFolders'],
  ['mailFolder', inbox],
  ['message', `${inbox}/messages?$top=500`],
  ['message', `${inbox}/messages?$top=500&$expand=attachments`],
  ['message', `${inbox}/messages/delta`],
  ['calendar', '/users/{user}/calendars'],
  ['calendarGroup', '/users/{user}/calendarGroups'],
  ['event', '/users/{user}/events?$top=500&$expand=exceptionOccurrences'],
  ['event', `/users/{user}/calendarView?$top=500&${window}`],
  ['contact', '/users/{user}/contacts?$top=500'],
  ['contactFolder', '/users/{user}/contactFolders'],
  ['mailboxFolder', '/admin/exchange/mailboxes/{mailbox}/folders?$top=100'],
  ['mailboxItem', '/admin/exchange/mailboxes/{mailbox}/folders/inbox/items?$top=500'],
];

test.runIf(isDescribed).each(replies)('%s of %s has the names and types the vendor describes', async (type, path) => {
  const { status, body } = await client.get(path.replace(/\{(\w+)\}/g, (_text, name: string) => names[name] ?? ''));
  expect(status).toBe(200);
  const isList = isObject(body) && Array.isArray(body['value']);
  const entities = isList ? objectsOf(valueAt(body, 'value')) : [body];
  expect(entities.length).toBeGreaterThan(0);
  const description = new GraphDescription();
  expect([...new Set(entities.flatMap((entity) => description.faultsOf(type, entity)))]).toEqual([]);
});
