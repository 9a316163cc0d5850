import { allows } from '@keepwatch/contract/abilities';
import { calls } from '@keepwatch/contract/calls';
import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import { deleteRestoreRole } from '@keepwatch/contract/restore/roles';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCompany } from '../../testing/builders.ts';
import { buildOrganization, buildRestoreRole } from '../../testing/microsoft365-builders.ts';
import { startTestPortal, type TestPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

it('shows an operator the names of the organizations of the roles, and an administrator all', async () => {
  const companyId = await buildCompany(portal.database);
  const [admin, operator] = [await portal.as('o365_admin'), await portal.as('restore-operator')];
  const contoso = await buildOrganization(portal.database, { companyId, name: 'Contoso' });
  await buildOrganization(portal.database, { companyId, name: 'Fabrikam' });
  const namesOf = async (caller: typeof admin) =>
    (await caller.call(listOrganizationNames, {})).data.map(({ name }) => name);
  expect(await namesOf(operator)).toEqual([]);
  const organization = { providerId: 1, id: contoso, companyId };
  const given = { name: 'Service desk', operatorIds: [operator.userId] };
  const opRoleId = await buildRestoreRole(portal.database, organization, given);
  expect(await namesOf(operator)).toEqual(['Contoso']);
  expect(await namesOf(admin)).toEqual(['Contoso', 'Fabrikam']);
  await admin.call(deleteRestoreRole, { params: { opRoleId } });
  expect(await namesOf(operator)).toEqual([]);
});

/** Asked under roles that are drawn in `operator-reach.test.ts`, all of them. */
const IS_OF_RESTORES = /^\/o365\/restore\//;

it('opens no call to operators but those of the restore portal and the names of organizations', () => {
  const others = Object.entries(calls).filter(
    ([, { access, path }]) =>
      access !== 'public' &&
      access !== 'signed-in' &&
      allows(['restore-operator'], access) &&
      !IS_OF_RESTORES.test(path),
  );
  expect(others.map(([name]) => name)).toEqual(['listOrganizationNames']);
});

/** Each refuses the id of another user: `requireOwn`. */
const IS_OF_OWN_PROFILE = /^\/profile\/\{id\}(\/|$)/;

it('has no calls for all who are signed in but those about oneself', () => {
  const open = Object.entries(calls).filter(
    ([, { access, path }]) => access === 'signed-in' && !IS_OF_OWN_PROFILE.test(path),
  );
  expect(open.map(([name]) => name).toSorted()).toEqual([
    'acknowledgeNotification',
    'exitImpersonation',
    // What waits for the caller: numbers alone.
    'getAttention',
    // A time zone and an hour.
    'getBackupClock',
    // When the consoles were read last: an instant without a name.
    'getLastSync',
    // To restore operators their own alone: `notifications.test.ts`.
    'listNotifications',
    // A token about the caller for the chat of the brand, a mail to its support, the caller's own accounts of consoles.
    'makeChatToken',
    'requestSupport',
    'signOn',
    'signOut',
  ]);
});
