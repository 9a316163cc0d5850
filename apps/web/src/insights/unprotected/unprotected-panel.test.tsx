import { listComputers, listUnprotectedCompanies } from '@keepwatch/contract/inventory/computers';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { quietDashboard } from '../dashboard/testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard';
const companies = [
  { companyId: buildId(3), companyName: 'Harbour Freight', withoutAgent: 9, total: 12 },
  { companyId: null, companyName: null, withoutAgent: 3, total: 3 },
];

async function openPanel(data = companies) {
  const answers = quietDashboard()
    .on(listUnprotectedCompanies, { success: true, count: data.length, data })
    .on(listComputers, { success: true, count: 0, data: [] });
  const opened = openPortal({ path, user: buildUser(), answers });
  return { ...opened, panel: within(await opened.page.findByRole('region', { name: 'Unprotected computers' })) };
}

test('lists the companies with computers that nothing protects', async () => {
  const { panel } = await openPanel();
  const rows = await panel.findAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Harbour Freight75.0% without agent9 of 12',
    'No company100.0% without agent3 of 3',
  ]);
  panel.getByRole('button', { name: '12 of 340 unprotected computers' });
});

test('leads from each company to its computers', async () => {
  const { page, panel, person, answers } = await openPanel();
  await person.click(await panel.findByRole('button', { name: 'Harbour Freight' }));
  await page.findByRole('dialog', { name: 'Computers without agent: Harbour Freight (0)' });
  await person.keyboard('{Escape}');
  await person.click(panel.getByRole('button', { name: 'No company' }));
  await page.findByRole('dialog', { name: 'Computers without agent: no company (0)' });
  expect(answers.asked(listComputers).map(({ query }) => query.filter)).toEqual([
    { companyIds: [buildId(3)], unprotected: true, ignored: false },
    { withoutCompany: true, unprotected: true, ignored: false },
  ]);
});

test('says that every computer has an agent', async () => {
  const { panel } = await openPanel([]);
  await panel.findByText('Every computer that was found has an agent.');
});
