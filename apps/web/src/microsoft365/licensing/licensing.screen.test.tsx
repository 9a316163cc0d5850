import { exportLicensing, type LicensedOrganization, listLicensing } from '@keepwatch/contract/microsoft365/licensing';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

const path = '/o365/licensing';
const user = buildUser({ roles: ['o365_admin'] });
const contoso: LicensedOrganization = {
  _id: buildId(10),
  serviceProvider: { id: 1 },
  organizationName: 'Contoso',
  companyId: buildId(1),
  companyName: 'Acme',
  licensedUsers: 2_000,
  newUsers: 12,
  releasedUsers: 3,
  bytes: 5 * 1_024 ** 4,
};

function answersWith(rows: LicensedOrganization[]) {
  const { licensedUsers, newUsers, releasedUsers, bytes } = contoso;
  const total = { licensedUsers, newUsers, releasedUsers, bytes };
  return createAnswers().on(listLicensing, ({ query: { search = '' } }) => {
    const data = rows.filter(({ organizationName }) => organizationName.includes(search));
    return { success: true as const, count: data.length, data, total };
  });
}

test('counts the licences of each organization; each figure leads to the users that it counts', async () => {
  const { page } = openPortal({ path: `${path}?date=Last+7+Days`, user, answers: answersWith([contoso]) });
  const grid = within(await page.findByRole('grid', { name: 'Licensing' }));
  await grid.findByText('Contoso');
  const organization = `organization=${contoso._id}`;
  const hrefOf = (name: string) => grid.getByRole('link', { name }).getAttribute('href');
  expect(hrefOf('2,000')).toBe(`/o365/license-consumption?date=Last+7+Days&${organization}`);
  expect(hrefOf('12')).toBe(`/o365/license-consumption?date=Last+7+Days&${organization}&change=new`);
  expect(hrefOf('3')).toBe(`/o365/license-consumption?date=Last+7+Days&${organization}&change=released`);
  expect((await page.findByText('2,000 licensed users')).textContent).toBe('2,000 licensed users · 5 TB');
});

test('asks for whole UTC days of the range that is chosen', async () => {
  const answers = answersWith([contoso]);
  const { page } = openPortal({ path: `${path}?date=Last+7+Days`, user, answers });
  await page.findByText('Contoso');
  expect(answers.asked(listLicensing)[0]?.query).toMatchObject({
    from: '2026-03-09T00:00:00.000Z',
    to: '2026-03-15T23:59:59.999Z',
  });
});

test('saves the same organizations as CSV', async () => {
  const answers = answersWith([contoso]).on(exportLicensing, 'Company\r\nAcme\r\n');
  const { page, person } = openPortal({ path: `${path}?sort=-bytes`, user, answers });
  await page.findByText('Contoso');
  await person.click(page.getByRole('button', { name: /Export CSV/ }));
  await page.findByText(/1 organization saved as Licensing-/);
  expect(answers.asked(exportLicensing)[0]?.query).toMatchObject({ sort: '-bytes' });
});

test('leads back to all where none matches', async () => {
  const { page, person } = openPortal({ path: `${path}?search=zzz`, user, answers: answersWith([contoso]) });
  await person.click(await page.findByRole('button', { name: 'Show all organizations' }));
  await page.findByText('Contoso');
});

test('leads on where no organization is connected', async () => {
  const { page } = openPortal({ path, user, answers: answersWith([]) });
  const connect = await page.findByRole('link', { name: 'Connect organization' });
  expect(connect.getAttribute('href')).toBe('/o365/organizations/new/1');
});

test('says that the licences could not be read, and reads them again', async () => {
  const answers = createAnswers().refuse(listLicensing, 500, {
    code: 'INTERNAL_ERROR',
    message: 'The database is away.',
  });
  const { page, person } = openPortal({ path, user, answers });
  await page.findByText('The database is away.');
  const { licensedUsers, newUsers, releasedUsers, bytes } = contoso;
  const total = { licensedUsers, newUsers, releasedUsers, bytes };
  answers.on(listLicensing, { success: true, count: 1, data: [contoso], total });
  await person.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByText('Contoso');
});
