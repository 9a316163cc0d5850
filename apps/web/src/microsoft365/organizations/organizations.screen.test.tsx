import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import {
  deleteOrganization,
  listOrganizations,
  type OrganizationDetail,
  readOrganization,
} from '@keepwatch/contract/microsoft365/organizations';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildOrganization } from '../testing/builders.ts';

const path = '/o365/organizations';
const user = buildUser({ roles: ['o365_admin'] });

function answersWith(rows: OrganizationDetail[]) {
  return createAnswers()
    .on(listOrganizations, ({ query: { search = '', limit, offset } }) => {
      const found = rows.filter(({ name }) => name.includes(search));
      return { success: true as const, count: found.length, data: found.slice(offset, offset + limit) };
    })
    .on(readOrganization, ({ params: { organizationId } }) => {
      const data = rows.find(({ id }) => id === organizationId);
      if (data === undefined) throw new Error(`The test has no organization ${organizationId}.`);
      return { success: true as const, data };
    });
}

async function openOne(fields: Partial<OrganizationDetail> = {}) {
  const answers = answersWith([buildOrganization(10, { name: 'Contoso', ...fields })]);
  const opened = openPortal({ path: `${path}?open=${buildId(10)}`, user, answers });
  const panel = within(await opened.page.findByRole('complementary', { name: 'Contoso' }));
  return { ...opened, answers, panel };
}

test('the application begins at the organizations', async () => {
  const { page, address } = openPortal({ path: '/o365', user, answers: answersWith([buildOrganization(10)]) });
  await page.findByText('Organization 10');
  expect(address()).toBe(path);
  const sidebar = within(page.getByRole('navigation', { name: 'Main' }));
  const links = sidebar.getAllByRole('link').map((link) => link.textContent);
  const administration = ['Dashboard', 'Jobs', 'Organizations', 'Repositories', 'Users'];
  const reports = ['Licensing', 'Licensed users'];
  const restorePortal = ['Outlook', 'OneDrive', 'SharePoint', 'Teams', 'Downloads'];
  const others = ['Restore Operators', 'Profile', 'Change password'];
  expect(links.slice(1)).toEqual([...administration, ...reports, ...restorePortal, ...others]);
  expect(page.queryByText('just now')).toBeNull();
});

test('lists organizations with the days that their certificates are still valid', async () => {
  const rows = [
    buildOrganization(10, { name: 'Contoso', certificateDaysLeft: 31 }),
    buildOrganization(11, { name: 'Fabrikam', certificateDaysLeft: 30 }),
    buildOrganization(12, { name: 'Litware', certificateDaysLeft: 0 }),
  ];
  const { page } = openPortal({ path, user, answers: answersWith(rows) });
  await page.findByText('Contoso');
  const cells = within(page.getByRole('grid', { name: 'Organizations' })).getAllByRole('gridcell');
  const texts = cells.map(({ textContent }) => textContent);
  expect(texts.slice(0, 6)).toEqual([
    'Contoso',
    'Company 1',
    'Exchange, SharePoint and OneDrive, Teams',
    '0',
    'never',
    '31 days',
  ]);
  expect([texts[12], texts[19]]).toEqual(['30 days left', 'Expired']);
  page.getByText('3 organizations');
});

test('finds an organization by its name on the server', async () => {
  const rows = [buildOrganization(10, { name: 'Contoso' }), buildOrganization(11, { name: 'Fabrikam' })];
  const { page, person, answers, address } = openPortal({ path, user, answers: answersWith(rows) });
  await person.type(await page.findByRole('searchbox', { name: 'Search organizations' }), 'Fab');
  await waitFor(() => expect(answers.asked(listOrganizations).at(-1)?.query.search).toBe('Fab'));
  await page.findByText('1 organization');
  expect(address()).toBe(`${path}?search=Fab`);
});

test('leads from an empty list to the wizard', async () => {
  const companies = { success: true as const, count: 0, data: [], query: { limit: 2, offset: 0 } };
  const answers = answersWith([]).on(listReportingCompanies, companies);
  const { page, person, address } = openPortal({ path, user, answers });
  await page.findByText('No organizations yet');
  await person.click(page.getByRole('button', { name: 'Connect organization' }));
  await page.findByRole('heading', { name: /^Basics/ });
  expect(address()).toBe('/o365/organizations/new/1');
});

test('shows how an organization is connected, and warns of a certificate that ends soon', async () => {
  const { panel } = await openOne({ certificateDaysLeft: 12 });
  panel.getByText('contoso.onmicrosoft.com');
  panel.getByText('Modern (application with a certificate)');
  panel.getByText('Application that reads');
  panel.getByText(/expires soon/);
  expect(panel.getByRole('link', { name: 'Renew certificate' }).getAttribute('href')).toBe(
    `/o365/organizations/certificate/${buildId(1)}/${buildId(10)}`,
  );
});

test('offers for an organization of a Veeam server only what that server has', async () => {
  const { panel } = await openOne({ engine: 'veeam', certificateDaysLeft: 12, applications: [] });
  panel.getByText('contoso.onmicrosoft.com');
  panel.getByRole('button', { name: 'Repositories' });
  for (const name of ['Edit', 'Renew certificate', 'Remove…', 'Add an application…'])
    expect(panel.queryByRole('button', { name })).toBeNull();
  for (const shown of ['Last proof', 'Restore', 'Certificate', /expires soon/])
    expect(panel.queryByText(shown)).toBeNull();
});

test('removes an organization once its name was typed', async () => {
  const { panel, page, person, answers } = await openOne();
  answers.on(deleteOrganization, { success: true });
  await person.click(panel.getByRole('button', { name: 'Remove…' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Remove Contoso?' }));
  const remove = dialog.getByRole('button', { name: 'Remove organization' });
  expect(dialog.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Goes', 'Stays', 'At Microsoft']);
  await person.type(dialog.getByLabelText(/^Name/), 'Contos');
  expect(remove).toHaveProperty('disabled', true);
  await person.type(dialog.getByLabelText(/^Name/), 'o{Enter}');
  await page.findByText('The organization Contoso has been removed.');
  expect(answers.asked(deleteOrganization)).toMatchObject([
    { params: { organizationId: buildId(10) }, body: { name: 'Contoso' } },
  ]);
});

test('says why an organization cannot be removed', async () => {
  const { panel, page, person, answers } = await openOne({ jobCount: 2 });
  const message = 'Contoso has 2 jobs. Delete them first.';
  answers.refuse(deleteOrganization, 409, { code: 'ORGANIZATION_HAS_JOBS', message });
  await person.click(panel.getByRole('button', { name: 'Remove…' }));
  await person.type(await page.findByLabelText(/^Name/), 'Contoso{Enter}');
  await page.findByText(message);
  await waitFor(() => expect(page.queryByRole('dialog')).not.toBeNull());
});
