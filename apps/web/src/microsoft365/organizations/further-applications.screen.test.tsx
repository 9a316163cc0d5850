import { addApplication, checkApplication, removeApplication } from '@keepwatch/contract/microsoft365/applications';
import {
  listOrganizations,
  readOrganization,
  requestApplicationDeviceCode,
} from '@keepwatch/contract/microsoft365/organizations';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildOrganization } from '../testing/builders.ts';

const user = buildUser({ roles: ['o365_admin'] });
const plain = buildOrganization(10, { name: 'Contoso' });
const SECOND = '6f2d7f4e-0001-4000-8000-000000000002';
const second = {
  applicationId: SECOND,
  name: 'Second',
  purpose: 'backup' as const,
  certificateThumbprint: null,
  certificateExpiresAt: null,
};
const both = { ...plain, applications: [...plain.applications, second] };
const code = {
  userCode: 'ABCD-EFGH',
  verificationUrl: 'https://microsoft.com/devicelogin',
  expiresIn: 900,
  interval: 0,
  message: '',
};

async function open(organization = plain) {
  const answers = createAnswers()
    .on(readOrganization, { success: true, data: organization })
    .on(listOrganizations, { success: true, count: 1, data: [organization] })
    .on(requestApplicationDeviceCode, { success: true, data: code })
    .refuse(addApplication, 409, { code: 'DEVICE_CODE_PENDING', message: 'not yet' });
  const opened = openPortal({ path: `/o365/organizations?open=${buildId(10)}`, user, answers });
  await opened.page.findByRole('heading', { name: 'Application that reads' });
  return { ...opened, answers };
}

async function openDialog() {
  const opened = await open();
  await opened.person.click(opened.page.getByRole('button', { name: 'Add an application…' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Add an application to Contoso' }));
  return { ...opened, dialog };
}

test('makes a further application once the code was entered', async () => {
  const { page, dialog, answers } = await openDialog();
  await dialog.findByText('ABCD-EFGH');
  await waitFor(() => expect(answers.asked(addApplication).length).toBeGreaterThan(1));
  answers.on(addApplication, { success: true, data: both, missing: [], consentUrl: null });
  await page.findByText('An application has been added to Contoso.');
  await waitFor(() => expect(page.queryByRole('dialog', { name: /^Add an application/ })).toBeNull());
  expect(answers.asked(addApplication)[0]?.body).toEqual({ userCode: 'ABCD-EFGH' });
});

test('adds one that is there, and names what it lacks', async () => {
  const { page, dialog, person, answers } = await openDialog();
  await person.click(dialog.getByRole('button', { name: 'Use an existing application' }));
  const missing = [{ permission: 'Mail.Read', use: 'backup' as const, without: 'mail', isOptional: false }];
  answers.on(addApplication, { success: true, data: both, missing, consentUrl: 'https://login.test/adminconsent' });
  await person.type(await dialog.findByRole('textbox', { name: 'Application (client) ID' }), SECOND);
  await person.type(dialog.getByRole('textbox', { name: /^Certificate/ }), 'PEM');
  await person.click(dialog.getByRole('button', { name: 'Add application' }));
  await dialog.findByText('Mail.Read');
  const grant = dialog.getByRole('link', { name: 'Grant permissions at Microsoft' });
  expect(grant.getAttribute('href')).toBe('https://login.test/adminconsent');
  expect(answers.asked(addApplication).at(-1)?.body).toMatchObject({ applicationId: SECOND });
  // For an administrator who signs in elsewhere.
  dialog.getByText('https://login.test/adminconsent');
  dialog.getByRole('button', { name: 'Copy Address for the administrator' });
  const reply = { success: true as const, data: both, consentUrl: null };
  answers.on(checkApplication, { ...reply, missing });
  await person.click(dialog.getByRole('button', { name: 'Check again' }));
  await dialog.findByText(/^Still missing/);
  expect(answers.asked(checkApplication)[0]?.params).toEqual({ organizationId: buildId(10), applicationId: SECOND });
  answers.on(checkApplication, { ...reply, missing: [] });
  await person.click(dialog.getByRole('button', { name: 'Check again' }));
  await page.findByText('Nothing is missing any more.');
  await waitFor(() => expect(page.queryByRole('dialog', { name: /^Add an application/ })).toBeNull());
});

test('removes a further one after a question, and never the first', async () => {
  const { page, person, answers } = await open(both);
  answers.on(removeApplication, { success: true, data: plain });
  expect(page.queryByRole('button', { name: 'Remove KEEPWATCH-Company 1' })).toBeNull();
  await person.click(page.getByRole('button', { name: 'Remove Second' }));
  await person.click(await page.findByRole('button', { name: 'Remove application' }));
  await page.findByText('The application has been removed.');
  expect(answers.asked(removeApplication)[0]?.params).toEqual({ organizationId: buildId(10), applicationId: SECOND });
});
