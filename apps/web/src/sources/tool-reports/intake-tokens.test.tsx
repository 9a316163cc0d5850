import { createCompany } from '@keepwatch/contract/companies/companies';
import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { createIntakeToken, deleteIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildCompany, buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { answersWith, buildToken } from '../testing/sources-answers.ts';

const path = '/monitoring/sources';
const user = buildUser({ roles: ['admin'] });
const address = 'https://portal.test/api/monitoring/intake/kw-secret';

test('lists the tokens with their company and when they were last used, never the tokens themselves', async () => {
  const tokens = [buildToken(1, { companyName: 'Adler Logistics' })];
  const { page } = openPortal({ path, user, answers: answersWith({ tokens }) });
  const grid = within(await page.findByRole('grid', { name: 'Intake tokens' }));
  await grid.findByText('server-1');
  const cells = grid.getAllByRole('gridcell').map((cell) => cell.textContent);
  expect(cells.slice(0, 3)).toEqual(['server-1', 'Adler Logistics', 'never']);
});

test('revokes a token only after a yes', async () => {
  const answers = answersWith({ tokens: [buildToken(1)] }).on(deleteIntakeToken, { success: true });
  const { page, person } = openPortal({ path, user, answers });
  await person.click(await page.findByRole('button', { name: 'Revoke server-1' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Revoke server-1?' }));
  dialog.getByText(/stop reporting for .* at once/);
  expect(answers.asked(deleteIntakeToken)).toEqual([]);
  await person.click(dialog.getByRole('button', { name: 'Revoke token' }));
  await page.findByText('The token server-1 is revoked.');
  expect(answers.asked(deleteIntakeToken)[0]?.params).toEqual({ id: buildId(801) });
});

async function openNew() {
  const company = { _id: buildId(7), name: 'Adler Logistics', vacId: null, vcdId: null, zertoId: null };
  const other = { ...company, _id: buildId(8), name: 'Baumann' };
  const answers = answersWith({}).on(listReportingCompanies, {
    success: true,
    count: 2,
    data: [company, other],
    query: { limit: 50, offset: 0 },
  });
  const opened = openPortal({ path, user, answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Create a token' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Create an intake token' }));
  return { ...opened, answers, dialog };
}

async function createToken() {
  const opened = await openNew();
  const { page, dialog, person, answers } = opened;
  const data = buildToken(1, { name: 'web server 1', companyName: 'Adler Logistics' });
  answers.on(createIntakeToken, { success: true, data, token: 'kw-secret', address });
  await person.type(dialog.getByLabelText(/^Name/), 'web server 1');
  await person.click(dialog.getByRole('button', { name: 'Company' }));
  await person.click(await page.findByRole('option', { name: 'Adler Logistics' }));
  await person.click(dialog.getByRole('button', { name: 'Create token' }));
  const created = within(await page.findByRole('dialog', { name: 'Token web server 1' }));
  return { ...opened, created };
}

test('creates a token for one company and shows it once', async () => {
  const { page, person, created, answers } = await createToken();
  expect(answers.asked(createIntakeToken)[0]?.body).toEqual({ name: 'web server 1', companyId: buildId(7) });
  created.getByText('kw-secret');
  created.getByText(/won't be shown again/);
  await person.click(created.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(page.queryByText('kw-secret')).toBeNull());
});

test('has ready lines for restic, borg and anything else', async () => {
  const { created } = await createToken();
  const line = (name: string) => within(created.getByRole('group', { name })).getByText(/curl/).textContent;
  expect(line('restic')).toContain(`"${address}?job=web-server-1&exitCode=$?"`);
  expect(line('borg')).toContain(`"${address}?job=web-server-1&exitCode=$?"`);
  expect(line('Anything else')).toContain(`"${address}?job=web-server-1&exitCode=$c"`);
});

test('puts another job name into the lines as it is typed', async () => {
  const { created, person } = await createToken();
  const name = created.getByLabelText(/^Job name/);
  await person.clear(name);
  await person.type(name, 'mail store');
  expect(
    within(created.getByRole('group', { name: 'restic' })).getByText(/job=mail-store&exitCode=\$\?"/),
  ).toBeTruthy();
});

test('copies a line with one click', async () => {
  const { page, created, person } = await createToken();
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  await person.click(created.getByRole('button', { name: 'Copy Token' }));
  await page.findByText('Token copied to clipboard');
  expect(write).toHaveBeenCalledWith('kw-secret');
});

test('marks the text where the browser does not let it be copied', async () => {
  const { page, created, person } = await createToken();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  await person.click(created.getByRole('button', { name: 'Copy Token' }));
  await page.findByText(/did not allow copying/);
  expect(window.getSelection()?.toString()).toBe('kw-secret');
});

test('accepts one company: a choice closes the list, and a second one replaces it', async () => {
  const { page, dialog, person } = await openNew();
  await person.click(dialog.getByRole('button', { name: 'Company' }));
  await person.click(await page.findByRole('option', { name: 'Adler Logistics' }));
  expect(page.queryByRole('dialog', { name: 'Companies' })).toBeNull();
  await person.click(await dialog.findByRole('button', { name: 'Company: Adler Logistics' }));
  await person.click(await page.findByRole('option', { name: 'Baumann' }));
  await dialog.findByRole('button', { name: 'Company: Baumann' });
  expect(page.queryByRole('dialog', { name: 'Companies' })).toBeNull();
});

test('creates nothing without name and company', async () => {
  const { dialog, person } = await openNew();
  const create = dialog.getByRole('button', { name: 'Create token' });
  expect(create).toHaveProperty('disabled', true);
  await person.type(dialog.getByLabelText(/^Name/), 'web server 1');
  expect(create).toHaveProperty('disabled', true);
});

/** A new installation: there is no company but those that are made in the test. */
async function openWithoutCompanies() {
  const companies: { _id: string; name: string; vacId: null; vcdId: null; zertoId: null }[] = [];
  const opened = await openNew();
  opened.answers.on(listReportingCompanies, ({ query: { ids, limit } }) => {
    const data = companies.filter(({ _id }) => ids === undefined || ids.includes(_id));
    return { success: true as const, count: data.length, data, query: { limit, offset: 0 } };
  });
  opened.answers.on(createCompany, ({ body: { name } }) => {
    const company = buildCompany(9, { name });
    companies.push({ _id: company._id, name, vacId: null, vcdId: null, zertoId: null });
    return { success: true as const, data: company };
  });
  await opened.person.click(opened.dialog.getByRole('button', { name: 'Company' }));
  await opened.page.findByText('There is no company yet. Type a name.');
  return opened;
}

test('creates a company with the typed name if there is none, and selects it', async () => {
  const { page, dialog, person, answers } = await openWithoutCompanies();
  await person.type(page.getByLabelText('Search companies'), 'Harbour Freight');
  await person.click(await page.findByRole('button', { name: 'Create company “Harbour Freight”' }));
  await page.findByText('The company Harbour Freight has been added.');
  await dialog.findByRole('button', { name: 'Company: Harbour Freight' });
  expect(answers.asked(createCompany).map(({ body }) => body)).toEqual([{ name: 'Harbour Freight' }]);
  expect(page.queryByRole('dialog', { name: 'Companies' })).toBeNull();
});

test('makes the company with Enter, without sending the form around it', async () => {
  const { page, dialog, person } = await openWithoutCompanies();
  await person.type(page.getByLabelText('Search companies'), 'Harbour');
  await page.findByRole('button', { name: 'Create company “Harbour”' });
  await person.keyboard('{Enter}');
  await dialog.findByRole('button', { name: 'Company: Harbour' });
});

test('says why a company could not be made, and stays open', async () => {
  const { page, person, answers } = await openWithoutCompanies();
  const message = 'There is a company named "Harbour" already.';
  answers.refuse(createCompany, 409, { code: 'CONFLICT', message });
  await person.type(page.getByLabelText('Search companies'), 'harbour');
  await person.click(await page.findByRole('button', { name: 'Create company “harbour”' }));
  await page.findByText(message);
});

test('offers to make no company that is there, in whatever case it is typed', async () => {
  const { page, dialog, person } = await openNew();
  await person.click(dialog.getByRole('button', { name: 'Company' }));
  await person.type(page.getByLabelText('Search companies'), 'baumann');
  await waitFor(() => expect(page.queryByRole('button', { name: /^Create company/ })).toBeNull());
  await person.type(page.getByLabelText('Search companies'), ' 2');
  await page.findByRole('button', { name: 'Create company “baumann 2”' });
});
