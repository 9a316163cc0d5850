import { createCompany, getCompany, listCompanies } from '@keepwatch/contract/companies/companies';
import type { User } from '@keepwatch/contract/identity/sessions';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildCompany, buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { quietCompany } from './page/testing/quiet-company.ts';

const path = '/monitoring/companies';
const admin = buildUser({ roles: ['admin'] });

/** A server that stores the companies it is given. */
function keepingAnswers(companies = [buildCompany(1)]) {
  const answers = quietCompany()
    .on(listCompanies, () => ({ success: true as const, count: companies.length, data: [...companies] }))
    .on(getCompany, ({ params: { id } }) => {
      const data = companies.find(({ _id }) => _id === id);
      if (data === undefined) throw new Error(`The test has no company ${id}.`);
      return { success: true as const, data };
    })
    .on(createCompany, ({ body: { name, email = null, phone = null } }) => {
      const data = buildCompany(9, { name, email, phone });
      companies.push(data);
      return { success: true as const, data };
    });
  return answers;
}

async function openDialog(companies?: Parameters<typeof keepingAnswers>[0]) {
  const answers = keepingAnswers(companies);
  const opened = openPortal({ path, user: admin, answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Add company' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Add a company' }));
  return { ...opened, answers, dialog };
}

test('adds a company with its contact data, confirms it and opens it', async () => {
  const { page, person, dialog, answers, address } = await openDialog();
  await person.type(dialog.getByLabelText(/^Name/), ' Harbour Freight ');
  await person.type(dialog.getByLabelText('E-mail'), 'it@harbour.test');
  await person.type(dialog.getByLabelText('Phone'), '+1 555 0100');
  await person.click(dialog.getByRole('button', { name: 'Add company' }));
  await page.findByText('The company Harbour Freight has been added.');
  await page.findByRole('heading', { level: 2, name: 'Harbour Freight' });
  expect(address()).toBe(`${path}/${buildId(9)}`);
  expect(page.queryByRole('dialog')).toBeNull();
  const body = { name: 'Harbour Freight', email: 'it@harbour.test', phone: '+1 555 0100' };
  expect(answers.asked(createCompany).map((asked) => asked.body)).toEqual([body]);
});

test('needs no more than a name, and goes on with Enter', async () => {
  const { page, person, dialog, answers } = await openDialog();
  expect(dialog.getByRole('button', { name: 'Add company' })).toHaveProperty('disabled', true);
  await person.type(dialog.getByLabelText(/^Name/), 'Harbour{Enter}');
  await page.findByRole('heading', { level: 2, name: 'Harbour' });
  expect(answers.asked(createCompany).map(({ body }) => body)).toEqual([{ name: 'Harbour' }]);
});

test('has the new company in the list', async () => {
  const { page, person, dialog } = await openDialog();
  await person.type(dialog.getByLabelText(/^Name/), 'Harbour{Enter}');
  await page.findByRole('heading', { level: 2, name: 'Harbour' });
  await person.click(within(page.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Companies' }));
  await page.findByText('2 companies');
  within(page.getByRole('grid', { name: 'Companies' })).getByText('Harbour');
});

test('says why a name is refused, with what was typed still there', async () => {
  const { person, dialog, answers } = await openDialog();
  const message = 'There is a company named "Harbour" already.';
  answers.refuse(createCompany, 409, { code: 'CONFLICT', message });
  await person.type(dialog.getByLabelText(/^Name/), 'harbour{Enter}');
  expect((await dialog.findByRole('alert')).textContent).toBe(message);
  expect(dialog.getByLabelText(/^Name/)).toHaveProperty('value', 'harbour');
});

test('says beside the field what is wrong with it, and not a second time below', async () => {
  const { person, dialog, answers } = await openDialog();
  answers.refuse(createCompany, 422, {
    code: 'INVALID_INPUT',
    message: 'Not valid.',
    errors: [{ path: 'body.email', message: 'is no e-mail address' }],
  });
  await person.type(dialog.getByLabelText(/^Name/), 'Harbour');
  await person.type(dialog.getByLabelText('E-mail'), 'it@harbour');
  await person.click(dialog.getByRole('button', { name: 'Add company' }));
  await dialog.findByText('is no e-mail address');
  expect(dialog.queryByRole('alert')).toBeNull();
});

test('adds nothing when it is closed, and gives the focus back', async () => {
  const { page, person, dialog, answers } = await openDialog();
  await person.type(dialog.getByLabelText(/^Name/), 'Harbour{Escape}');
  await person.click(await page.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(answers.asked(createCompany)).toEqual([]);
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'Add company' }));
});

test('leads from an empty list to the first company', async () => {
  const { page, dialog, person } = await openDialog([]);
  await person.type(dialog.getByLabelText(/^Name/), 'Harbour{Enter}');
  await page.findByRole('heading', { level: 2, name: 'Harbour' });
});

test.each<[string, User]>([
  ['sees companies without being allowed to add any', buildUser({ roles: ['sub-sp'], companyIds: [buildId(1)] })],
  ['is limited to companies', buildUser({ roles: ['admin'], companyIds: [buildId(1)] })],
])('is not offered to a user who %s', async (_, user) => {
  const { page } = openPortal({ path, user, answers: keepingAnswers() });
  await page.findByText('1 company');
  expect(page.queryByRole('button', { name: 'Add company' })).toBeNull();
});
