import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { editProfile, signOut } from '@keepwatch/contract/identity/sessions';
import { listM365Jobs, listProxies } from '@keepwatch/contract/microsoft365/jobs';
import {
  listOrganizationNames,
  listOrganizations,
  requestDeviceCode,
} from '@keepwatch/contract/microsoft365/organizations';
import { listRepositoriesOf } from '@keepwatch/contract/microsoft365/repositories';
import { act, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildBranding, buildId, buildOrganizationName, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/o365/organizations';
const user = buildUser({ roles: ['o365_admin'], companyIds: [buildId(1)] });
const name = buildOrganizationName();
const company = { _id: buildId(1), name: 'Company 1', vacId: null, vcdId: null, zertoId: null };
const branding = buildBranding();
const withTerms = buildBranding({
  features: {
    ...branding.features,
    office365: { selfRegistration: { termsOfUse: 'https://example.test/terms' } },
  },
});

function answersWith({ organizations = [] as (typeof name)[] } = {}) {
  return createAnswers()
    .on(listOrganizations, { success: true, count: 0, data: [] })
    .on(listOrganizationNames, { success: true, data: organizations })
    .on(listM365Jobs, { success: true, count: 0, data: [] })
    .on(listProxies, { success: true, data: [] })
    .on(listRepositoriesOf, { success: true, data: [] })
    .on(listReportingCompanies, { success: true, count: 1, data: [company], query: { limit: 1, offset: 0 } })
    .refuse(requestDeviceCode, 503, { code: 'INTERNAL_ERROR', message: 'No code today.' });
}

const dialogIn = async (page: ReturnType<typeof openPortal>['page'], title: string) =>
  within(await page.findByRole('dialog', { name: title }));

test('prompts for the first organization, and leads to its last step with the defaults', async () => {
  const { page, person, address } = openPortal({ path, user, answers: answersWith(), isPrompted: true });
  const dialog = await dialogIn(page, 'Get started');
  dialog.getByText('Please start by creating a new Organization');
  await person.click(dialog.getByRole('button', { name: 'Continue' }));
  await page.findByText('KEEPWATCH-Company 1');
  page.getByText('Exchange, SharePoint and OneDrive, Teams');
  page.getByText('Worldwide');
  expect(address()).toBe('/o365/organizations/new/5/modern');
});

test('prompts for the first job of the first organization', async () => {
  const answers = answersWith({ organizations: [name] });
  const { page, person, address } = openPortal({ path, user, answers, isPrompted: true });
  const dialog = await dialogIn(page, 'Get started');
  dialog.getByText('Please create a new Job under your Organization');
  await person.click(dialog.getByRole('button', { name: 'Continue' }));
  await page.findByRole('heading', { name: /^Basics/ });
  expect(address()).toBe(`/o365/jobs/1?organization=${buildId(10)}`);
});

test('does not prompt again once the prompt was dismissed', async () => {
  const { page, person, router } = openPortal({ path, user, answers: answersWith(), isPrompted: true });
  const dialog = await dialogIn(page, 'Get started');
  await person.click(dialog.getByRole('button', { name: 'Not now' }));
  expect(page.queryByRole('dialog')).toBeNull();
  await router.navigate({ to: '/o365/jobs' });
  await page.findByText('No jobs yet');
  expect(page.queryByRole('dialog')).toBeNull();
  expect(sessionStorage.getItem('keepwatch.o365-prompt-dismissed')).not.toBeNull();
});

test('asks to accept the terms of use first, and remembers that', async () => {
  const answers = answersWith().on(editProfile, ({ body }) => ({
    success: true as const,
    data: { ...user, ackO365TermsOfUse: body.ackO365TermsOfUse ?? false },
  }));
  const { page, person } = openPortal({ path, user, answers, branding: withTerms, isPrompted: true });
  const dialog = await dialogIn(page, 'Terms of use');
  expect(dialog.getByRole('link', { name: 'terms of use' }).getAttribute('href')).toBe('https://example.test/terms');
  await person.click(dialog.getByRole('button', { name: 'Accept' }));
  await page.findByText('Please start by creating a new Organization');
  expect(answers.asked(editProfile)[0]?.body).toEqual({ ackO365TermsOfUse: true });
});

test('asks an administrator who acts as the user to accept nothing', async () => {
  const { page, portal } = openPortal({ path, user, answers: answersWith(), branding: withTerms, isPrompted: true });
  await page.findByRole('dialog', { name: 'Terms of use' });
  act(() => portal.session.impersonate({ token: 'another', user: { ...user, id: buildId(2) } }, '/monitoring/users'));
  await page.findByText('Please start by creating a new Organization');
  expect(page.queryByRole('dialog', { name: 'Terms of use' })).toBeNull();
});

test('logs out who refuses the terms of use', async () => {
  const answers = answersWith().on(signOut, { success: true, address: null });
  const { page, person, address } = openPortal({ path, user, answers, branding: withTerms, isPrompted: true });
  const dialog = await dialogIn(page, 'Terms of use');
  await person.click(dialog.getByRole('button', { name: 'Refuse and log out' }));
  await page.findByLabelText('User name');
  expect(address()).toBe('/login');
});

test('asks a restore operator to accept the terms of use, and prompts for nothing behind them', async () => {
  const operator = buildUser({ roles: ['restore-operator'] });
  const answers = answersWith().on(editProfile, ({ body }) => ({
    success: true as const,
    data: { ...operator, ackO365TermsOfUse: body.ackO365TermsOfUse ?? false },
  }));
  const { page, person } = openPortal({
    path: '/o365/forbidden',
    user: operator,
    answers,
    branding: withTerms,
    isPrompted: true,
  });
  const dialog = await dialogIn(page, 'Terms of use');
  await person.click(dialog.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(answers.asked(listOrganizationNames)).toEqual([]);
  expect(answers.asked(listM365Jobs)).toEqual([]);
});
