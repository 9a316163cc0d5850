import {
  deleteCompany,
  editCompany,
  getCompany,
  listCompanies,
  listConsoleCompanies,
  restoreCompany,
} from '@keepwatch/contract/companies/companies';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildCompany, buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { quietCompany } from './testing/quiet-company.ts';

const path = `/monitoring/companies/${buildId(1)}`;
const admin = buildUser({ roles: ['admin'] });
const link = { connectionId: buildId(70), connectionName: 'North', externalId: 'n-1', isReporting: true };

/** A server with one company, which it changes, deletes and restores. */
function answersWith(given = buildCompany(1, { name: 'Harbour' })) {
  let company = given;
  let isDeleted = false;
  return quietCompany()
    .on(listCompanies, () => ({ success: true as const, count: isDeleted ? 0 : 1, data: isDeleted ? [] : [company] }))
    .on(getCompany, () => ({ success: true as const, data: company }))
    .on(editCompany, ({ body: { links = [], email = null, phone = null, ...body } }) => {
      const named = links.map((chosen) => ({ ...chosen, connectionName: 'North', isReporting: true }));
      company = { ...company, ...body, email, phone, links: named };
      return { success: true as const, data: company };
    })
    .on(deleteCompany, () => {
      isDeleted = true;
      return { success: true as const };
    })
    .on(restoreCompany, () => {
      isDeleted = false;
      return { success: true as const };
    });
}

async function open(action: 'Edit' | 'Delete', answers = answersWith()) {
  const opened = openPortal({ path, user: admin, answers });
  await opened.person.click(await opened.page.findByRole('button', { name: action }));
  return { ...opened, answers, dialog: within(await opened.page.findByRole('dialog')) };
}

test('changes a company, and shows what was saved', async () => {
  const { page, person, dialog, answers } = await open('Edit');
  await person.clear(dialog.getByLabelText(/^Name/));
  await person.type(dialog.getByLabelText(/^Name/), 'Harbour Freight');
  await person.type(dialog.getByLabelText('E-mail'), 'it@harbour.test');
  await person.click(dialog.getByLabelText('Active'));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await page.findByText('The company Harbour Freight has been changed.');
  await page.findByRole('heading', { name: 'Harbour Freight' });
  const body = { name: 'Harbour Freight', email: 'it@harbour.test', isActive: false, isManaged: true, links: [] };
  expect(answers.asked(editCompany).map((asked) => asked.body)).toEqual([body]);
  expect(page.queryByRole('dialog')).toBeNull();
});

test('says why a change is refused, with what was typed still there', async () => {
  const message = 'There is a company named "Acme" already.';
  const answers = answersWith().refuse(editCompany, 409, { code: 'CONFLICT', message });
  const { person, dialog } = await open('Edit', answers);
  await person.clear(dialog.getByLabelText(/^Name/));
  await person.type(dialog.getByLabelText(/^Name/), 'Acme{Enter}');
  expect((await dialog.findByRole('alert')).textContent).toBe(message);
  expect(dialog.getByLabelText(/^Name/)).toHaveProperty('value', 'Acme');
});

test('links a company to one that is found in a console, whose name it then has', async () => {
  const found = { ...link, name: 'Harbour Inc.', isActive: true, company: { _id: buildId(8), name: 'Old Harbour' } };
  const failed = [{ connectionName: 'South', message: 'It did not answer.' }];
  const answers = answersWith().on(listConsoleCompanies, { success: true, data: [found], failed });
  const { page, person, dialog } = await open('Edit', answers);
  await person.click(dialog.getByRole('button', { name: 'Link to a console' }));
  const search = await page.findByLabelText('Search the connected consoles');
  await page.findByText('Type at least 2 characters.');
  await person.type(search, 'harb');
  await waitFor(() => expect(answers.asked(listConsoleCompanies).at(-1)?.query).toEqual({ name: 'harb' }));
  expect(answers.asked(listConsoleCompanies).every(({ query }) => (query?.name ?? '').length >= 2)).toBe(true);
  await page.findByText('South: It did not answer.');
  await person.click(await page.findByRole('option', { name: /Harbour Inc\..*North, linked to Old Harbour/ }));
  await dialog.findByText('Linked to Old Harbour. Saving moves the link here.');
  await dialog.findByText('Name and status come from North.');
  expect(dialog.queryByLabelText(/^Name/)).toBeNull();
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await page.findByText('n-1');
  const links = [{ connectionId: buildId(70), externalId: 'n-1', movesFrom: buildId(8) }];
  expect(answers.asked(editCompany)[0]?.body.links).toEqual(links);
});

test('does not send back the name and status that it was opened with', async () => {
  const { page, person, dialog, answers } = await open('Edit');
  await person.type(dialog.getByLabelText('E-mail'), 'it@harbour.test');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await page.findByText('The company Harbour has been changed.');
  expect(answers.asked(editCompany)[0]?.body).toEqual({ email: 'it@harbour.test', isManaged: true, links: [] });
});

test('unlinks a company from a console', async () => {
  const { page, person, dialog, answers } = await open('Edit', answersWith(buildCompany(1, { links: [link] })));
  await person.click(dialog.getByRole('button', { name: 'Unlink from North' }));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await page.findByText('The company Company 1 has been changed.');
  expect(answers.asked(editCompany)[0]?.body.links).toEqual([]);
});

test('deletes a company with a reason, and undoes that from the message', async () => {
  const { page, person, dialog, answers, address } = await open('Delete');
  expect(dialog.getByRole('button', { name: 'Delete company' })).toHaveProperty('disabled', true);
  await person.type(dialog.getByLabelText(/^Reason/), 'The contract has ended.');
  await person.click(dialog.getByRole('button', { name: 'Delete company' }));
  await page.findByText('The company Harbour has been deleted.');
  expect(answers.asked(deleteCompany).map(({ body }) => body)).toEqual([{ reason: 'The contract has ended.' }]);
  await page.findByText('No companies yet');
  expect(address()).toBe('/monitoring/companies');
  await person.click(page.getByRole('button', { name: 'Undo' }));
  await page.findByText('The company Harbour is back.');
  await page.findByText('1 company');
});

test('says why a company is not deleted', async () => {
  const message = 'The console "North" reports "Harbour".';
  const { person, dialog } = await open(
    'Delete',
    answersWith().refuse(deleteCompany, 409, { code: 'CONFLICT', message }),
  );
  await person.type(dialog.getByLabelText(/^Reason/), 'Ended');
  await person.click(dialog.getByRole('button', { name: 'Delete company' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(message);
});

test('is not offered to a user who is limited to companies', async () => {
  const user = buildUser({ roles: ['admin'], companyIds: [buildId(1)] });
  const { page } = openPortal({ path, user, answers: answersWith() });
  await page.findByRole('heading', { name: 'Details' });
  expect(page.queryByRole('button', { name: /Edit|Delete/ })).toBeNull();
});
