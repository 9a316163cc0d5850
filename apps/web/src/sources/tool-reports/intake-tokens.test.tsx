import { createCompany } from '@keepwatch/contract/companies/companies';
import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import {
  createIntakeToken,
  deleteIntakeToken,
  deleteTestRuns,
  getIntakeToken,
  reportRun,
  TEST_TOOL,
} from '@keepwatch/contract/tool-reports/tool-reports';
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
  answers.on(getIntakeToken, { success: true, data: { ...data, jobs: [] } });
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

test('has ready texts for cron, systemd, Windows and Proxmox VE, and for each tool', async () => {
  const { created, person } = await createToken();
  const text = (name: string) =>
    within(created.getByRole('group', { name })).getByText(/[a-z]/, { selector: 'code' }).textContent;
  const chosen = (name: string) => person.click(created.getByRole('radio', { name }));
  expect(text('Line of the crontab')).toMatch(/^0 2 \* \* \* f=.* restic backup/);
  expect(text('Line of the crontab')).toContain(`"${address}?job=web-server-1&exitCode=$c"`);
  await chosen('borg');
  expect(text('Line of the crontab')).toContain('borg create');
  await chosen('Anything else');
  expect(text('Line of the crontab')).toContain(`"${address}?job=web-server-1&exitCode=$c"`);
  await chosen('systemd');
  expect(text('/etc/systemd/system/backup-web-server-1.service')).toContain('ExecStart=/bin/sh');
  expect(text('Start the timer')).toContain('enable --now backup-web-server-1.timer');
  await chosen('Windows');
  expect(created.queryByRole('radio', { name: 'borg' })).toBeNull();
  expect(text('C:\\Scripts\\backup-web-server-1.ps1')).toContain(`'${address}?job=web-server-1'`);
  await chosen('Proxmox VE');
  expect(created.queryByRole('radio', { name: 'restic' })).toBeNull();
  expect(text('/usr/local/bin/backup-report')).toContain(`address='${address}'`);
});

test('puts another job name into the texts as it is typed', async () => {
  const { created, person } = await createToken();
  const name = created.getByLabelText(/^Job name/);
  await person.clear(name);
  await person.type(name, 'mail store');
  const line = within(created.getByRole('group', { name: 'Line of the crontab' }));
  line.getByText(/job=mail-store&exitCode=\$c"/);
});

const backup = {
  jobInstanceUid: buildId(21),
  jobName: 'web-server-1',
  tool: 'restic',
  executionId: buildId(22),
  startedAt: '2026-03-15T11:59:00.000Z',
  result: 'Success' as const,
};
const testRun = { ...backup, jobInstanceUid: buildId(23), jobName: 'web-server-1-test', tool: TEST_TOOL };
const detailWith = (jobs: (typeof backup)[]) => ({ success: true as const, data: { ...buildToken(1), jobs } });

test('waits for the first report, and shows tool, job and result as soon as it is there', async () => {
  const { created, answers } = await createToken();
  created.getByText('Waiting for the first report…');
  answers.on(getIntakeToken, detailWith([backup]));
  answers.emit('executions.changed');
  // An administrator has no daily checks to go to.
  const name = await created.findByText('web-server-1', { selector: 'span' });
  expect(name.closest('[data-arrived]')?.textContent).toContain('restic: web-server-1Success');
  expect(created.queryByText('Waiting for the first report…')).toBeNull();
  expect(answers.asked(getIntakeToken)[0]?.params).toEqual({ id: buildId(801) });
});

test('sends a test run with the token alone, marked as one, and removes it', async () => {
  const { page, created, person, answers } = await createToken();
  answers.on(reportRun, () => {
    answers.on(getIntakeToken, detailWith([testRun]));
    const { jobInstanceUid, jobName, result } = testRun;
    const stored = { _id: buildId(24), jobInstanceUid, jobName, result, sourceGroup: 'file-share-jobs' as const };
    return { success: true as const, data: [stored] };
  });
  await person.click(created.getByRole('button', { name: 'Send a test run' }));
  await created.findByText(/^Test run:/);
  const [asked] = answers.asked(reportRun);
  expect(asked).toMatchObject({ params: { token: 'kw-secret' }, query: { job: 'web-server-1-test' } });
  expect(created.queryByRole('button', { name: 'Send a test run' })).toBeNull();
  answers.on(deleteTestRuns, () => {
    answers.on(getIntakeToken, detailWith([]));
    return { success: true as const };
  });
  await person.click(created.getByRole('button', { name: 'Remove test run' }));
  await page.findByText('The test run is removed.');
  await created.findByText('Waiting for the first report…');
});

test('says why a test run was refused', async () => {
  const { page, created, person, answers } = await createToken();
  answers.refuse(reportRun, 404, { code: 'NOT_FOUND', message: 'The intake token was not found.' });
  await person.click(created.getByRole('button', { name: 'Send a test run' }));
  await page.findByText('The intake token was not found.');
});

test('removes test runs that were left from the list of tokens', async () => {
  const answers = answersWith({ tokens: [buildToken(1, { hasTestRun: true }), buildToken(2)] });
  answers.on(deleteTestRuns, { success: true });
  const { page, person } = openPortal({ path, user, answers });
  await person.click(await page.findByRole('button', { name: 'Remove the test run of server-1' }));
  await page.findByText('The test run is removed.');
  expect(answers.asked(deleteTestRuns)[0]?.params).toEqual({ id: buildId(801) });
  expect(page.queryByRole('button', { name: 'Remove the test run of server-2' })).toBeNull();
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
