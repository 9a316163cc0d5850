import { type CompanyDetail, exportCompanyJobs, getCompany } from '@keepwatch/contract/companies/companies';
import {
  addCompanyContact,
  type CompanyContact,
  editCompanyContact,
  listCompanyContacts,
  removeCompanyContact,
} from '@keepwatch/contract/companies/company-contacts';
import {
  addCompanyNote,
  type CompanyNote,
  listCompanyNotes,
  removeCompanyNote,
} from '@keepwatch/contract/companies/company-notes';
import { listUsersToNotify } from '@keepwatch/contract/directory/users';
import { type Fault, listFaults } from '@keepwatch/contract/faults/faults';
import { getSpreadsheetReport } from '@keepwatch/contract/insights/calendar';
import { getChanges } from '@keepwatch/contract/insights/changes';
import { getComputersStatus, listComputers } from '@keepwatch/contract/inventory/computers';
import { listRepositories } from '@keepwatch/contract/inventory/repositories';
import { listOrganizations } from '@keepwatch/contract/microsoft365/organizations';
import { waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Answers } from '../../testing/answers.ts';
import { buildCompany, buildId, buildUser } from '../../testing/builders.ts';
import { openPortal, TEST_NOW } from '../../testing/open-portal.tsx';
import { quietCompany, stoppedSources } from './testing/quiet-company.ts';

const id = buildId(3);
const path = `/monitoring/companies/${id}`;
const company = `company=${id}`;
const admin = buildUser({ roles: ['admin'] });
/** May see companies and their runs. */
const reseller = buildUser({ roles: ['sub-sp'] });
/** May see all there is. */
const everything = buildUser({ roles: ['admin', 'operator', 'o365_admin'] });

/** A server with one company. */
function answersWith(fields: Partial<CompanyDetail> = {}): Answers {
  const data = buildCompany(3, { name: 'Cobalt Health', jobs: 12, ...fields });
  return quietCompany().on(getCompany, { success: true, data });
}

async function openPage(answers = answersWith(), user = everything) {
  const opened = openPortal({ path, user, answers });
  await opened.page.findByRole('heading', { level: 2, name: 'Cobalt Health' });
  const section = async (name: string) => within(await opened.page.findByRole('region', { name }));
  return { ...opened, section };
}

const buildFault = (fields: Partial<Fault> = {}): Fault => ({
  _id: buildId(50),
  jobInstanceUid: buildId(60),
  jobName: 'Nightly',
  sharedBy: null,
  jobType: 'BackupVm',
  companyId: id,
  companyName: 'Cobalt Health',
  source: 'vac',
  sourceGroup: 'managed-servers',
  serverName: 'vbr-03',
  kind: 'failed',
  state: 'pending',
  runs: 3,
  openedAt: '2026-03-10T12:00:00.000Z',
  lastStartedAt: '2026-03-14T12:00:00.000Z',
  lastExecutionId: buildId(51),
  closedAt: null,
  fineAt: '2026-03-09T12:00:00.000Z',
  daysWithoutFine: 6,
  message: 'The disk is full',
  anomalies: [],
  anomalyTexts: [],
  lastResults: 'SSSFFF',
  note: null,
  ignoredUntil: null,
  changedBy: null,
  changedAt: null,
  cause: { key: 'a', why: 'message', subject: null, jobs: 1, companies: 1 },
  ...fields,
});

test('says for how long something has no good restore point, and how many faults are open', async () => {
  const { page } = await openPage(
    answersWith({
      openFaults: { failed: 3, missed: 1, doubtful: 0, warning: 2 },
      longestWithoutFine: { jobName: 'Nightly', days: 9 },
    }),
  );
  const head = page.getByRole('heading', { level: 2, name: 'Cobalt Health' }).closest('header');
  expect(head?.textContent).toContain('Without a good restore point9 daysLongest: Nightly');
  expect(head?.textContent).toMatch(/Failed3Didn't run1Doubtful0Warning2$/);
});

test.each([
  [{ longestWithoutFine: { jobName: 'Nightly', days: null } }, 'Never had oneLongest: Nightly'],
  [{ longestWithoutFine: null }, '0 daysEvery job has one'],
  [{ longestWithoutFine: null, jobs: 0 }, '–No jobs yet'],
])('says so where that is no number of days: %j', async (fields, text) => {
  const { page } = await openPage(answersWith(fields));
  const head = page.getByRole('heading', { level: 2, name: 'Cobalt Health' }).closest('header');
  await waitFor(() => expect(head?.textContent).toContain(text));
});

test('does not say that every job has a good restore point while a source of them is not read', async () => {
  const stopped = [{ _id: buildId(70), name: 'vspc', readTo: '2026-03-14T00:00:00.000Z' }];
  const { page } = await openPage(answersWith({ longestWithoutFine: null }).on(getChanges, stoppedSources(stopped)));
  const head = page.getByRole('heading', { level: 2, name: 'Cobalt Health' }).closest('header');
  await page.findByText(/^No open faults\. 1 source has not been read/);
  expect(head?.textContent).toContain('0 daysAs far as its sources were read');
});

test('lists the open faults with reason, last results and who is on them, and leads to the runs of each job', async () => {
  const data = [buildFault({ state: 'in-progress', changedBy: 'anna', note: 'Disk ordered' })];
  const { section, answers } = await openPage(answersWith().on(listFaults, { success: true, count: 1, data }));
  const faults = await section('Open faults');
  await faults.findByText('The disk is full');
  faults.getByText('Since 03/10/26 · last fine 6 days ago · in progress by anna');
  faults.getByText('Note: Disk ordered');
  faults.getByRole('img', { name: 'Last 6 runs: 3 fine, 3 failed; the last one failed' });
  const href = faults.getByRole('link', { name: 'Nightly' }).getAttribute('href');
  expect(href).toContain(`/monitoring/daily-checks?job=${buildId(60)}`);
  expect(answers.asked(listFaults)[0]?.query).toEqual({
    limit: 50,
    offset: 0,
    filter: { companyIds: [id], state: ['pending', 'in-progress'] },
  });
});

test('shows the jobs by the days of this month', async () => {
  const row = {
    ...{ jobInstanceUid: buildId(60), jobName: 'Nightly', companyId: id, companyName: 'Cobalt Health' },
    ...{ sourceGroup: 'managed-servers' as const, isEnabled: true, sharedBy: null, sharedJob: null },
    cells: 'SF'.padEnd(31, '-'),
  };
  const reply = { success: true as const, count: 1, data: [row], firstDay: '2026-03-01', recountedFrom: null };
  const { section, answers } = await openPage(answersWith().on(getSpreadsheetReport, reply));
  const month = await section('March 2026');
  const cells = within(await month.findByRole('row', { name: /^Nightly/ })).getAllByRole('img');
  expect(cells.slice(0, 2).map((cell) => cell.getAttribute('aria-label'))).toEqual(['Success', 'Failed']);
  expect(cells).toHaveLength(15);
  expect(month.getByRole('link', { name: 'Calendar view' }).getAttribute('href')).toContain(company);
  expect(answers.asked(getSpreadsheetReport)[0]?.query).toMatchObject({
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-31T23:59:59.999Z',
    filter: { companyIds: [id] },
  });
});

test('says on which day a repository is full, which computers have no agent, and which organizations there are', async () => {
  const repository = {
    ...{ _id: buildId(70), name: 'Vault', companyId: id, companyName: 'Cobalt Health', kind: null, path: null },
    ...{ serverName: 'vbr-03', status: null, capacityBytes: 1_024 ** 4, freeBytes: 1_024 ** 3 * 100 },
    ...{ usedBytes: 1_024 ** 3 * 924, usedRatio: 0.902, growthBytesPerDay: 1, readAt: TEST_NOW.toISOString() },
    fullAt: '2026-04-01T12:00:00.000Z',
  };
  const computer = {
    ...{ _id: buildId(71), hostName: 'PC-7', fqdn: null, companyId: id, companyName: 'Cobalt Health', platform: null },
    ...{ operatingSystem: 'Windows 11', ipAddresses: ['10.0.0.7'], status: null, isIgnored: false, note: null },
    ...{ agentInstallationStatus: null, agentManagementStatus: null, lastSeenAt: null },
  };
  const status = { total: 4, withAgent: 3, withoutAgent: 1, offline: 0, ignored: 0 };
  const organization = {
    ...{ id: buildId(72), _id: buildId(72), name: 'Contoso', officeName: 'contoso', companyId: id },
    ...{ companyName: 'Cobalt Health', engine: 'built-in' as const, type: 'Office365' as const },
    ...{ region: 'Worldwide' as const, authType: 'modern' as const, isExchangeOnline: true, isSharePointOnline: true },
    ...{ isTeamsOnline: true, isTeamsChatsOnline: false, jobCount: 2, isBackedup: false, firstBackuptime: null },
    ...{ lastBackuptime: null, certificateDaysLeft: 12, canRestore: true, lastProof: null },
  };
  const answers = answersWith()
    .on(listRepositories, { success: true, count: 1, data: [repository] })
    .on(listComputers, { success: true, count: 1, data: [computer] })
    .on(getComputersStatus, { success: true, data: status })
    .on(listOrganizations, { success: true, count: 1, data: [organization] })
    .on(listUsersToNotify, {
      success: true,
      count: 1,
      users: [{ _id: buildId(73), name: 'Ben', email: 'ben@x.test' }],
    });
  const { section } = await openPage(answers);
  const repositories = await section('Repositories');
  await repositories.findByText('Full in 17 days');
  repositories.getByText('· 04/01/26');
  const computers = await section('Computers without agent');
  await computers.findByText('PC-7');
  computers.getByText('1 of 4');
  const organizations = await section('Microsoft 365');
  await organizations.findByText('Certificate expires in 12 days');
  organizations.getByText('2 jobs · never backed up');
  await (await section('Users to notify')).findByRole('link', { name: 'ben@x.test' });
  for (const asked of [answers.asked(listRepositories)[0]?.query, answers.asked(getComputersStatus)[0]?.query])
    expect(asked).toMatchObject({ companyIds: [id] });
  expect(answers.asked(listComputers)[0]?.query.filter).toMatchObject({ companyIds: [id], unprotected: true });
  expect(answers.asked(listOrganizations)[0]?.query.companyId).toBe(id);
  expect(answers.asked(listUsersToNotify)[0]?.params.veeamId).toBe(id);
});

test('leads on where a part is empty', async () => {
  const { section } = await openPage();
  await (await section('Open faults')).findByText(/^No open faults/);
  await (await section('Repositories')).findByText(/appear after its next sync/);
  await (await section('Computers without agent')).findByText(/^No discovery has found computers/);
  await (await section('Contacts')).findByText(/Add whom to call/);
  await (await section('Notes')).findByText(/^No notes yet/);
});

test('does not say that all is fine where a source of the company was not read, and names none', async () => {
  const stopped = [{ _id: buildId(7), name: 'Main console', readTo: '2026-03-12T12:00:00.000Z' }];
  const { section, answers } = await openPage(answersWith().on(getChanges, stoppedSources(stopped)));
  const faults = await section('Open faults');
  await faults.findByText(
    'No open faults. 1 source has not been read since 03/12/26 12:00 PM. Runs since then are not known.',
  );
  expect(answers.asked(getChanges)[0]?.query).toEqual({ filter: { companyIds: [id] } });
});

test('leads to the sources where the company has no job', async () => {
  const { section } = await openPage(answersWith({ jobs: 0 }));
  expect((await (await section('Open faults')).findByRole('link', { name: 'Sources' })).getAttribute('href')).toBe(
    '/monitoring/sources',
  );
});

test('has no part that the user may not see', async () => {
  const { page } = await openPage(answersWith(), admin);
  for (const name of ['Open faults', 'March 2026', 'Microsoft 365'])
    expect(page.queryByRole('region', { name }), name).toBeNull();
  page.getByRole('region', { name: 'Notes' });
});

test('tries a part again that failed, while the others are there', async () => {
  const message = 'The notes could not be read, try again later.';
  const answers = answersWith().refuse(listCompanyNotes, 409, { code: 'CONFLICT', message });
  const { section, person } = await openPage(answers);
  const notes = await section('Notes');
  await notes.findByText(message);
  await (await section('Contacts')).findByText(/Add whom to call/);
  answers.on(listCompanyNotes, { success: true, count: 0, data: [] });
  await person.click(notes.getByRole('button', { name: 'Try again: Notes' }));
  await notes.findByText(/^No notes yet/);
});

test('adds a note, and removes one of the user', async () => {
  const at = TEST_NOW.toISOString();
  let stored: CompanyNote[] = [{ _id: buildId(80), content: 'Ask for Anna', by: 'ben', at, isOwn: false }];
  const answers = answersWith()
    .on(listCompanyNotes, () => ({ success: true as const, count: stored.length, data: stored }))
    .on(addCompanyNote, ({ body: { content } }) => {
      const note = { _id: buildId(81), content, by: 'olga', at, isOwn: true };
      stored = [note, ...stored];
      return { success: true as const, data: note };
    })
    .on(removeCompanyNote, ({ params: { noteId } }) => {
      stored = stored.filter(({ _id }) => _id !== noteId);
      return { success: true as const };
    });
  const { page, section, person } = await openPage(answers);
  const notes = await section('Notes');
  await person.type(await notes.findByLabelText(/^New note/), 'Backups pause on Sundays');
  await person.click(notes.getByRole('button', { name: 'Add note' }));
  await waitFor(() => expect(notes.getAllByRole('listitem')).toHaveLength(2));
  expect(notes.getByLabelText(/^New note/)).toHaveProperty('value', '');
  await person.click(notes.getByRole('button', { name: 'Remove' }));
  await person.click(await page.findByRole('button', { name: 'Remove note' }));
  await waitFor(() => expect(notes.getAllByRole('listitem')).toHaveLength(1));
  notes.getByText('Ask for Anna');
});

test('adds, changes and removes a contact', async () => {
  let stored: CompanyContact[] = [];
  const answers = answersWith()
    .on(listCompanyContacts, () => ({ success: true as const, data: stored }))
    .on(addCompanyContact, ({ body: { name, role = null, email = null, phone = null } }) => {
      const contact = { _id: buildId(90), name, role, email, phone };
      stored = [contact];
      return { success: true as const, data: contact };
    })
    .on(editCompanyContact, ({ body: { name, role = null, email = null, phone = null } }) => {
      const contact = { _id: buildId(90), name, role, email, phone };
      stored = [contact];
      return { success: true as const, data: contact };
    })
    .on(removeCompanyContact, () => {
      stored = [];
      return { success: true as const };
    });
  const { page, section, person } = await openPage(answers);
  const contacts = await section('Contacts');
  await person.click(contacts.getByRole('button', { name: 'Add contact' }));
  const adding = within(await page.findByRole('dialog', { name: 'Add a contact' }));
  await person.type(adding.getByLabelText(/^Name/), 'Anna Berg');
  await person.type(adding.getByLabelText('Phone'), '+1 555 0100');
  await person.click(adding.getByRole('button', { name: 'Add contact' }));
  await contacts.findByText('Anna Berg');
  expect(contacts.getByRole('link', { name: '+1 555 0100' }).getAttribute('href')).toBe('tel:+15550100');
  await person.click(contacts.getByRole('button', { name: 'Edit Anna Berg' }));
  const editing = within(await page.findByRole('dialog', { name: 'Edit Anna Berg' }));
  await person.type(editing.getByLabelText('Role'), 'IT manager');
  await person.click(editing.getByRole('button', { name: 'Save' }));
  await contacts.findByText('IT manager');
  expect(answers.asked(editCompanyContact)[0]?.body).toEqual({
    name: 'Anna Berg',
    role: 'IT manager',
    phone: '+1 555 0100',
  });
  await person.click(contacts.getByRole('button', { name: 'Remove Anna Berg' }));
  await person.click(await page.findByRole('button', { name: 'Remove contact' }));
  await contacts.findByText(/Add whom to call/);
});

test('prints the page, and saves the jobs as CSV', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:test');
  const answers = answersWith().on(exportCompanyJobs, 'Job\r\nNightly\r\n');
  const { page, person } = await openPage(answers);
  await person.click(page.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  await person.click(page.getByRole('button', { name: 'Export CSV' }));
  await page.findByText('1 jobs saved as CompanyJobs-20260315-120000.csv.');
  expect(answers.asked(exportCompanyJobs)[0]).toMatchObject({ params: { id }, body: { format: 'csv' } });
  expect(saved).toHaveBeenCalledOnce();
});

test('has what is known of the company elsewhere, and leads to its runs by result', async () => {
  const answers = answersWith({
    ...{ email: 'it@cobalt.test', phone: '+1 555 0100', isActive: false, disabledJobs: 2, warning: 5, pending: 4 },
    applications: { vac: { id: '9f2c' }, vcd: { id: null }, zerto: { id: 'z-17' } },
  });
  const { section, page } = await openPage(answers, reseller);
  const details = await section('Details');
  expect(details.getByRole('link', { name: 'it@cobalt.test' }).getAttribute('href')).toBe('mailto:it@cobalt.test');
  expect(details.getByRole('link', { name: '+1 555 0100' }).getAttribute('href')).toBe('tel:+15550100');
  for (const text of ['9f2c', 'z-17', 'Inactive, managed', '12, 2 of them disabled', '4 runs in the last 30 days'])
    details.getByText(text);
  const href = (name: string) => details.getByRole('link', { name }).getAttribute('href');
  const checks = '/monitoring/daily-checks';
  expect(href('Daily checks (4 pending in 30 days)')).toBe(`${checks}?${company}&state=pending&date=Last+30+Days`);
  expect(href('Calendar view')).toBe(`/monitoring/calendar-report?${company}`);
  expect(href('5 Warning')).toBe(
    `${checks}?${company}&result=Warning&state=all&ignored=true&latest=true&date=Any+Time`,
  );
  expect(page.getByRole('navigation', { name: 'Breadcrumb' }).textContent).toContain('Companies');
});

test('says that there is no such company, and leads back to the others', async () => {
  const answers = quietCompany().refuse(getCompany, 404, { code: 'NOT_FOUND', message: 'The company was not found.' });
  const { page } = openPortal({ path, user: admin, answers });
  await page.findByText('No such company');
  expect(page.getByRole('link', { name: 'Show all companies' }).getAttribute('href')).toBe('/monitoring/companies');
});

test('says what happened where the company cannot be read, and tries again', async () => {
  const answers = quietCompany().refuse(getCompany, 409, { code: 'CONFLICT', message: 'Try again later.' });
  const { page, person } = openPortal({ path, user: admin, answers });
  await page.findByText('Could not load this company');
  answers.on(getCompany, { success: true, data: buildCompany(3, { name: 'Cobalt Health' }) });
  await person.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByRole('heading', { level: 2, name: 'Cobalt Health' });
});

test('reads faults and figures again when runs have changed, and no notes', async () => {
  const { section, answers } = await openPage();
  await (await section('Notes')).findByText(/^No notes yet/);
  await (await section('Open faults')).findByText(/^No open faults/);
  answers.on(listFaults, { success: true, count: 1, data: [buildFault()] });
  answers.emit('executions.changed');
  await (await section('Open faults')).findByText('The disk is full');
  expect(answers.asked(listCompanyNotes)).toHaveLength(1);
});
