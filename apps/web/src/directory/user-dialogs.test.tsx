import {
  changeUserPassword,
  createUser,
  deleteUser,
  editUser,
  inviteUser,
  type ListedUser,
  listUsers,
} from '@keepwatch/contract/directory/users';
import { getUserSecondFactors, resetSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const admin = buildUser({ roles: ['admin'] });
const ada: ListedUser = {
  _id: buildId(7),
  username: 'ada',
  name: 'Ada King',
  email: 'ada@example.test',
  acl: [{ role: 'operator' }],
  state: 'active',
  companies: null,
  authType: 'db',
  signsInElsewhere: false,
  companyName: null,
  createdAt: '2026-03-02T08:00:00.000Z',
};
const invitation = {
  link: 'https://portal.test/reset-password-db?hash=abc',
  expiresAt: '2026-03-09T08:00:00.000Z',
  isMailed: false,
};

/** The list with one user, whose panel is open where that is said. */
function open({ user = ada, isOpen = true, by = admin } = {}) {
  const answers = createAnswers()
    .on(listUsers, { success: true, count: 1, data: [user] })
    .on(createUser, { success: true, data: user, invitation })
    .on(inviteUser, { success: true, data: { ...invitation, isMailed: true } })
    .on(getUserSecondFactors, {
      success: true,
      data: { authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 },
    })
    .on(editUser, { success: true, data: user })
    .on(changeUserPassword, { success: true })
    .on(deleteUser, { success: true });
  const path = `/monitoring/users${isOpen ? `?open=${user._id}` : ''}`;
  return openPortal({ path, user: by, answers });
}

const panelOf = async ({ page }: ReturnType<typeof open>) =>
  within(await page.findByRole('complementary', { name: ada.name }));

test('adds a user with the roles that an administrator may give, and shows the link to hand over', async () => {
  const { page, person, answers } = open({ isOpen: false });
  await person.click(await page.findByRole('button', { name: 'Add user' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Add a user' }));
  await person.type(dialog.getByRole('textbox', { name: 'User name' }), 'ada');
  await person.type(dialog.getByRole('textbox', { name: 'Full name' }), 'Ada King');
  await person.type(dialog.getByRole('textbox', { name: 'E-mail' }), 'ada@example.test');
  const roles = within(dialog.getByRole('group', { name: 'Roles' })).getAllByRole('checkbox');
  expect(roles.map((role) => role.getAttribute('value'))).toEqual(['admin', 'read-only', 'operator', 'sub-sp']);
  await person.click(dialog.getByRole('checkbox', { name: 'Operator' }));
  await person.click(dialog.getByRole('button', { name: 'Add user' }));
  const link = within(await page.findByRole('dialog', { name: 'Invite Ada King' }));
  link.getByText(invitation.link);
  link.getByText(/No mail server is connected/);
  expect(answers.asked(createUser)[0]?.body).toEqual({
    username: 'ada',
    name: 'Ada King',
    email: 'ada@example.test',
    roles: ['operator'],
    companyIds: null,
  });
});

test('changes roles and disables a user', async () => {
  const opened = open();
  const { person, page, answers } = opened;
  await person.click((await panelOf(opened)).getByRole('button', { name: 'Edit' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Edit Ada King' }));
  await person.click(dialog.getByRole('checkbox', { name: 'Read-only' }));
  await person.click(dialog.getByRole('checkbox', { name: 'Disabled' }));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await page.findByText('The user Ada King has been changed.');
  expect(answers.asked(editUser)[0]?.body).toMatchObject({ roles: ['operator', 'read-only'], isDisabled: true });
});

test.each([
  [{ authType: 'ad' as const }, /roles come from Active Directory/],
  [{ signsInElsewhere: true }, /are again what it says at the next login/],
])('says where a user comes from before anything is changed in vain: %j', async (fields, note) => {
  const opened = open({ user: { ...ada, ...fields } });
  await opened.person.click((await panelOf(opened)).getByRole('button', { name: 'Edit' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Edit Ada King' }));
  dialog.getByText(note);
});

test('invites again, sets a password, and deletes with a reason', async () => {
  const opened = open();
  const { person, page, answers } = opened;
  const panel = await panelOf(opened);
  await person.click(panel.getByRole('button', { name: 'Invite again' }));
  const invited = within(await page.findByRole('dialog', { name: 'Invite Ada King' }));
  invited.getByText(/ada@example.test gets a mail/);
  await person.click(invited.getByRole('button', { name: 'Done' }));
  await person.click(panel.getByRole('button', { name: 'Set password' }));
  const password = within(await page.findByRole('dialog', { name: 'Set the password of Ada King' }));
  await person.type(password.getByLabelText(/^New password/, { selector: 'input' }), 'a long enough password');
  await person.click(password.getByRole('button', { name: 'Set password' }));
  await page.findByText('The password of Ada King has been set.');
  await person.click(panel.getByRole('button', { name: 'Delete' }));
  const deletion = within(await page.findByRole('dialog', { name: 'Delete Ada King?' }));
  await person.type(deletion.getByRole('textbox', { name: 'Reason' }), 'Left');
  await person.click(deletion.getByRole('button', { name: 'Delete user' }));
  await page.findByText('The user Ada King has been deleted.');
  expect(answers.asked(deleteUser)[0]?.body).toEqual({ reason: 'Left' });
});

test('says that the identity provider keeps the password, and offers neither to set it nor to invite', async () => {
  const panel = await panelOf(open({ user: { ...ada, signsInElsewhere: true } }));
  panel.getByText('With the identity provider');
  panel.getByRole('button', { name: 'Sign in as this user' });
  expect(panel.queryByRole('button', { name: 'Invite again' })).toBeNull();
  expect(panel.queryByRole('button', { name: 'Set password' })).toBeNull();
});

test('says that the directory keeps the password, which can be set there from here', async () => {
  const panel = await panelOf(open({ user: { ...ada, authType: 'ad' } }));
  panel.getByText('In the directory');
  panel.getByRole('button', { name: 'Set password' });
  expect(panel.queryByRole('button', { name: 'Invite again' })).toBeNull();
});

test('offers nothing for a user with a role that the person could not give', async () => {
  const panel = await panelOf(open({ user: { ...ada, acl: [{ role: 'super-admin' }] } }));
  expect(panel.queryByRole('button', { name: 'Edit' })).toBeNull();
});

test('offers to edit the own account, and not to delete it', async () => {
  const panel = await panelOf(open({ by: { ...admin, id: ada._id } }));
  panel.getByRole('button', { name: 'Edit' });
  expect(panel.queryByRole('button', { name: 'Delete' })).toBeNull();
});

test('resets the second factors of a user who has lost them, once that is confirmed', async () => {
  const opened = open();
  const authenticator = { createdAt: '2026-03-02T08:00:00.000Z', lastUsedAt: null };
  const { person, page, answers } = opened;
  answers.on(resetSecondFactors, { success: true });
  answers.on(getUserSecondFactors, {
    success: true,
    data: { authenticator, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 10 },
  });
  const panel = await panelOf(opened);
  await panel.findByText('Authenticator app');
  await person.click(panel.getByRole('button', { name: 'Reset second factors' }));
  answers.on(getUserSecondFactors, {
    success: true,
    data: { authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 },
  });
  const dialog = within(await page.findByRole('dialog'));
  await person.click(dialog.getByRole('button', { name: 'Reset second factors' }));
  await page.findByText('The second factors of Ada King have been reset.');
  expect(answers.asked(resetSecondFactors)).toHaveLength(1);
});
