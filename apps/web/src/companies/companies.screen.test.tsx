import { exportCompanies, getCompany, listCompanies } from '@keepwatch/contract/companies/companies';
import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { fireEvent, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildCompany, buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { quietCompany } from './page/testing/quiet-company.ts';

const path = '/monitoring/companies';
const admin = buildUser({ roles: ['admin'] });
/** May see companies and their runs. */
const reseller = buildUser({ roles: ['sub-sp'] });

const companies = Array.from({ length: 250 }, (_, number) => buildCompany(number + 1));

/** A server with these companies: finds them by name, gives a page at a time. */
function answersWith(rows = companies) {
  return createAnswers()
    .on(listCompanies, ({ query: { search = '', limit, offset } }) => {
      const found = rows.filter(({ name }) => name.includes(search));
      return { success: true as const, count: found.length, data: found.slice(offset, offset + limit) };
    })
    .on(getCompany, ({ params: { id } }) => {
      const data = rows.find(({ _id }) => _id === id);
      if (data === undefined) throw new Error(`The test has no company ${id}.`);
      return { success: true as const, data };
    });
}

test('lists companies by trouble, with the key facts of each', async () => {
  const row = buildCompany(1, {
    name: 'Adler Logistics',
    jobs: 1_012,
    failed: 4,
    warning: 3,
    didntRun: 2,
    doubtful: 5,
    pending: 9,
    backupSizeBytes: 1_024 ** 4,
    isManaged: false,
  });
  const { page, answers } = openPortal({ path, user: admin, answers: answersWith([row]) });
  await page.findByText('Adler Logistics');
  const cells = within(page.getByRole('grid', { name: 'Companies' })).getAllByRole('gridcell');
  const texts = cells.map((cell) => cell.textContent);
  expect(texts).toEqual(['Adler Logistics', '1,012', '4', '3', '2', '5', '9', 'never', '1 TB', 'No']);
  expect(answers.asked(listCompanies)[0]?.query).toEqual({ limit: 100, offset: 0, sort: '-trouble' });
  page.getByText('1 company');
});

test('loads only what is on screen of a long list', async () => {
  const { page, answers } = openPortal({ path, user: admin, answers: answersWith() });
  await page.findByText('Company 1');
  page.getByText('250 companies');
  expect(answers.asked(listCompanies)).toHaveLength(1);
  expect(page.queryByText('Company 200')).toBeNull();
});

test('finds a company by its name on the server, and keeps the search in the address', async () => {
  const { page, person, address, answers } = openPortal({ path, user: admin, answers: answersWith() });
  await person.type(await page.findByRole('searchbox', { name: 'Search companies' }), 'Company 77');
  await page.findByText('1 company');
  expect(answers.asked(listCompanies).at(-1)?.query.search).toBe('Company 77');
  expect(address()).toBe(`${path}?search=Company+77`);
});

test('leaves the space in the search behind which a person types on', async () => {
  const { page, address } = openPortal({ path, user: admin, answers: answersWith() });
  const search = await page.findByRole('searchbox', { name: 'Search companies' });
  fireEvent.change(search, { target: { value: 'Company ' } });
  await waitFor(() => expect(address()).toBe(`${path}?search=Company`));
  await page.findByText('250 companies');
  expect(search).toHaveProperty('value', 'Company ');
});

test('sorts on the server, the other way round at the second click', async () => {
  const { page, person, address, answers } = openPortal({ path, user: admin, answers: answersWith() });
  await page.findByText('Company 1');
  await person.click(page.getByRole('button', { name: 'Failed' }));
  await waitFor(() => expect(answers.asked(listCompanies).at(-1)?.query.sort).toBe('failed'));
  await person.click(page.getByRole('button', { name: 'Failed' }));
  await waitFor(() => expect(answers.asked(listCompanies).at(-1)?.query.sort).toBe('-failed'));
  expect(address()).toBe(`${path}?sort=-failed`);
});

test('reads an order that the server does not know as the order by trouble', async () => {
  const { page, answers } = openPortal({ path: `${path}?sort=drop+table`, user: admin, answers: answersWith() });
  await page.findByText('Company 1');
  expect(answers.asked(listCompanies)[0]?.query.sort).toBe('-trouble');
});

test('reads again when runs have changed', async () => {
  const answers = answersWith([buildCompany(1, { failed: 1 })]);
  const { page } = openPortal({ path, user: admin, answers });
  await page.findByText('Company 1');
  answers.on(listCompanies, { success: true, count: 1, data: [buildCompany(9)] });
  answers.emit('executions.changed');
  await page.findByText('Company 9');
});

test.each(['click', 'keyboard'])('leads to the page of a company, by %s', async (way) => {
  const { page, person, address } = openPortal({ path, user: admin, answers: quietCompany(answersWith()) });
  const name = await page.findByText('Company 2');
  page.getByRole('grid', { name: 'Companies' }).focus();
  if (way === 'click') await person.click(name);
  else await person.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await page.findByRole('heading', { level: 2, name: 'Company 2' });
  expect(address()).toBe(`${path}/${buildId(2)}`);
});

test('goes back to the order by trouble from any other', async () => {
  const { page, person, address, answers } = openPortal({
    path: `${path}?sort=name`,
    user: admin,
    answers: answersWith(),
  });
  await page.findByText('Company 1');
  await person.click(page.getByRole('button', { name: 'Worst first' }));
  await waitFor(() => expect(answers.asked(listCompanies).at(-1)?.query.sort).toBe('-trouble'));
  expect(address()).toBe(path);
  expect(page.queryByRole('button', { name: 'Worst first' })).toBeNull();
});

test('links from an empty list to the sources for users who may open them', async () => {
  const { page } = openPortal({ path, user: admin, answers: answersWith([]) });
  expect((await page.findByRole('link', { name: 'Connect a console' })).getAttribute('href')).toBe(
    '/monitoring/sources',
  );
});

test('does not send away those who may not connect anything', async () => {
  const { page } = openPortal({ path, user: reseller, answers: answersWith([]) });
  await page.findByText('No companies yet');
  expect(page.queryByRole('link', { name: 'Connect a console' })).toBeNull();
});

test('offers to clear a search that found nothing', async () => {
  const { page, person } = openPortal({ path: `${path}?search=unknown`, user: admin, answers: answersWith() });
  await page.findByText('No company name contains “unknown”.');
  await person.click(page.getByRole('button', { name: 'Show all companies' }));
  await page.findByText('Company 1');
});

test('says what the server says where the list cannot be read', async () => {
  const message = 'Error while getting the company. Try again later.';
  const answers = createAnswers().refuse(listCompanies, 422, { code: 'INVALID_INPUT', message });
  const { page, person } = openPortal({ path, user: admin, answers });
  await page.findByText(message);
  answers.on(listCompanies, { success: true, count: 1, data: [buildCompany(1)] });
  await person.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByText('Company 1');
});

test('says how many jobs belong to no company, so that the figures add up', async () => {
  const answers = answersWith().on(listCompanies, {
    success: true,
    count: 1,
    data: [buildCompany(1, { jobs: 1_490 })],
    withoutCompany: { jobs: 3, backupSizeBytes: 3 * 1_024 ** 4 },
  });
  const { page } = openPortal({ path, user: admin, answers });
  await page.findByText('1 company · 3 jobs without a company (3 TB)');
});

test('lists only the companies with jobs to which the dashboard leads, until asked for all', async () => {
  const address = `${path}?jobs=true&source=office365&company=${buildId(7)}`;
  const known = { _id: buildId(7), name: 'Company 7', vacId: null, vcdId: null, zertoId: null };
  const query = { limit: 1, offset: 0 };
  const answers = answersWith().on(listReportingCompanies, { success: true, count: 1, data: [known], query });
  const { page, person } = openPortal({ path: address, user: admin, answers });
  await page.findByText('Company 1');
  expect(answers.asked(listCompanies)[0]?.query).toMatchObject({
    withJobs: true,
    source: ['office365'],
    ids: [buildId(7)],
  });
  await person.click(page.getByRole('button', { name: 'Remove With Microsoft 365 jobs, 1 company' }));
  await waitFor(() => expect(answers.asked(listCompanies).at(-1)?.query).not.toHaveProperty('withJobs', true));
});

test('saves the companies that the filters leave, in the order of the list', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:test');
  const answers = answersWith().on(exportCompanies, 'Company\r\nCompany 77\r\n');
  const { page, person } = openPortal({ path: `${path}?search=Company+77&sort=-failed`, user: admin, answers });
  await page.findByText('Company 77');
  await person.click(page.getByRole('button', { name: 'Export CSV' }));
  await page.findByText('1 company saved as Companies-20260315-120000.csv.');
  expect(answers.asked(exportCompanies)[0]?.body).toEqual({ format: 'csv', search: 'Company 77', sort: '-failed' });
  expect(saved).toHaveBeenCalledOnce();
});
