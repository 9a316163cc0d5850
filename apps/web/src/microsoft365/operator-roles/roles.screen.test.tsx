import { listUsers } from '@keepwatch/contract/directory/users';
import {
  listOrganizationNames,
  listOrganizationTeams,
  listOrganizationUsers,
} from '@keepwatch/contract/microsoft365/organizations';
import {
  createRestoreRole,
  deleteRestoreRole,
  editRestoreRole,
  listRestoreRoles,
  type RestoreRoleDetail,
  readRestoreRole,
} from '@keepwatch/contract/restore/roles';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildOrganizationName, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

const path = '/o365/restore-operator-roles';
const user = buildUser({ roles: ['o365_admin'] });
const organization = buildOrganizationName();
const grace = { id: buildId(50), name: 'Grace', username: 'grace' };
const role: RestoreRoleDetail = {
  id: buildId(60),
  name: 'Service desk',
  description: '',
  companyId: buildId(1),
  organizationId: organization.id,
  organizationName: 'Contoso',
  roleType: 'SpecificObjects',
  operators: [grace],
  selectedItems: [
    { type: 'User', id: 'user-1', name: 'Ada' },
    { type: 'Team', id: 'team-1', name: 'Sales' },
  ],
  excludedItems: [{ type: 'User', id: 'user-2', name: 'Boss' }],
};
const listedUser = {
  _id: grace.id,
  username: 'grace',
  name: 'Grace',
  email: 'grace@contoso.test',
  acl: [{ role: 'restore-operator' as const }],
  state: 'active' as const,
  companies: null,
  authType: 'db' as const,
  signsInElsewhere: false,
  companyName: null,
  createdAt: '2026-03-01T00:00:00.000Z',
};
const directoryObject = (id: string, name: string) => ({
  id,
  name,
  address: `${id}@contoso.test`,
  isPersonal: false,
  hasChildren: false,
});

function answersWith(roles: readonly RestoreRoleDetail[] = [role]) {
  const listed = roles.map(({ selectedItems, excludedItems, ...shown }) => ({
    ...shown,
    selectedCount: selectedItems.length,
    excludedCount: excludedItems.length,
  }));
  return createAnswers()
    .on(listRestoreRoles, { success: true, count: listed.length, data: listed })
    .on(readRestoreRole, { success: true, data: role })
    .on(listOrganizationNames, { success: true, data: [organization] })
    .on(listUsers, { success: true, count: 1, data: [listedUser] })
    .on(listOrganizationUsers, {
      success: true,
      count: 2,
      data: [directoryObject('user-1', 'Ada'), directoryObject('user-2', 'Boss')],
      isWhole: true,
    })
    .on(listOrganizationTeams, { success: true, count: 1, data: [directoryObject('team-1', 'Sales')], isWhole: true })
    .on(createRestoreRole, { success: true, data: role })
    .on(editRestoreRole, { success: true, data: role })
    .on(deleteRestoreRole, { success: true });
}

type Opened = ReturnType<typeof openPortal>;
const heading = ({ page }: Opened, name: RegExp) => page.findByRole('heading', { name });
const press = async ({ page, person }: Opened, name: string) => person.click(page.getByRole('button', { name }));

test('lists who may restore what, and says in the panel by name what a role selects and excludes', async () => {
  const { page, person, address } = openPortal({ path, user, answers: answersWith() });
  const grid = within(await page.findByRole('grid', { name: 'Restore operator roles' }));
  await person.click(await grid.findByText('Service desk'));
  grid.getByText('2 objects but 1');
  const panel = within(await page.findByRole('complementary', { name: 'Service desk' }));
  await panel.findByText('Ada, Sales');
  panel.getByText('Boss');
  expect(address()).toBe(`${path}?open=${role.id}`);
});

test('creates a role in five steps', async () => {
  const opened = openPortal({ path, user, answers: answersWith([]) });
  const { page, person, answers } = opened;
  await person.click(await page.findByRole('button', { name: 'Create role' }));
  await heading(opened, /^Basics/);
  expect(opened.address()).toBe(`${path}/1`);
  await person.type(page.getByLabelText(/^Name/), 'Service desk');
  await press(opened, 'Next');
  await heading(opened, /^Organization/);
  await press(opened, 'Next');
  await heading(opened, /^Operators/);
  await press(opened, 'Next');
  await page.findByText(/at least one operator/);
  await person.click(page.getByRole('button', { name: /^Restore operator$/ }));
  await person.click(await page.findByRole('option', { name: /Grace/ }));
  await person.keyboard('{Escape}');
  await press(opened, 'Next');
  await heading(opened, /^What they may restore/);
  await press(opened, 'Next');
  await page.findByText('Choose at least one object.');
  await person.click(await page.findByRole('checkbox', { name: 'Choose Ada' }));
  await page.findByText('1 object chosen');
  expect(page.queryByRole('checkbox', { name: 'Mailbox of Ada' })).toBeNull();
  await press(opened, 'Next');
  await heading(opened, /^Exclusions/);
  expect(opened.address()).toBe(`${path}/5`);
  await person.click(await page.findByRole('checkbox', { name: 'Choose Boss' }));
  await press(opened, 'Create role');
  await page.findByText('The role Service desk has been created.');
  expect(answers.asked(createRestoreRole)[0]).toMatchObject({
    params: { organizationId: organization.id },
    body: {
      name: 'Service desk',
      roleType: 'SpecificObjects',
      operators: [{ id: grace.id }],
      selectedItems: [{ type: 'User', id: 'user-1', name: 'Ada' }],
      excludedItems: [{ type: 'User', id: 'user-2', name: 'Boss' }],
    },
  });
  expect(opened.address()).toBe(`${path}?open=${role.id}`);
});

test('changes a role, which stays with its organization, and says beside its field what is refused', async () => {
  const answers = answersWith();
  const message = 'Another role of this organization has this name. Choose another one.';
  answers.refuse(editRestoreRole, 409, { code: 'CONFLICT', message, errors: [{ path: 'body.name', message }] });
  const opened = openPortal({ path: `${path}/1?role=${role.id}`, user, answers });
  await heading(opened, /^Basics/);
  await press(opened, 'Next');
  await opened.page.findByText('The organization of a role cannot be changed.');
  for (const next of [/^Operators/, /^What they may restore/, /^Exclusions/]) {
    await press(opened, 'Next');
    await heading(opened, next);
  }
  await press(opened, 'Save role');
  await heading(opened, /^Basics/);
  opened.page.getByText(message);
  await waitFor(() => expect(answers.asked(editRestoreRole)).toHaveLength(1));
  const { selectedItems, excludedItems } = role;
  expect(answers.asked(editRestoreRole)[0]).toMatchObject({
    params: { opRoleId: role.id },
    body: { operators: [{ id: grace.id }], selectedItems, excludedItems },
  });
});

test('asks before a role is deleted', async () => {
  const opened = openPortal({ path: `${path}?open=${role.id}`, user, answers: answersWith() });
  const panel = within(await opened.page.findByRole('complementary', { name: 'Service desk' }));
  await opened.person.click(await panel.findByRole('button', { name: 'Delete…' }));
  await opened.person.click(await opened.page.findByRole('button', { name: 'Delete role' }));
  await opened.page.findByText('The role Service desk has been deleted.');
  expect(opened.answers.asked(deleteRestoreRole)[0]?.params).toEqual({ opRoleId: role.id });
});

test('is not open to operators: their roles name what they must not see', async () => {
  const operator = buildUser({ roles: ['restore-operator'] });
  const { answers, address } = openPortal({ path, user: operator, answers: answersWith() });
  await waitFor(() => expect(address()).toMatch(/^\/o365\/forbidden/));
  expect(answers.asked(listRestoreRoles)).toEqual([]);
});
