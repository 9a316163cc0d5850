import { type AdminDashboard, getAdminDashboard } from '@keepwatch/contract/administration/dashboard';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/admin/dashboard';
const user = buildUser({ roles: ['super-admin', 'admin', 'o365_admin'] });

const DATA: AdminDashboard = {
  brands: 6,
  companies: 1_200,
  connections: { works: 4, failing: 2, untested: 0, off: 1 },
  certificates: [
    {
      companyId: buildId(1),
      organizationId: buildId(2),
      organizationName: 'Contoso',
      expiresAt: '2026-03-13T12:00:00Z',
    },
  ],
  installation: {
    queue: { waiting: 3, running: 1, failed: 2, failing: [{ name: 'sources.sync', failed: 2 }] },
    workers: [
      { name: 'worker-1', version: '2.2.14', isOnline: true, running: 2, capacity: 4, seenAt: null },
      { name: 'worker-2', version: '2.2.13', isOnline: false, running: 0, capacity: 4, seenAt: '2026-03-15T10:00:00Z' },
    ],
    storage: { databaseBytes: 2_000_000_000, disk: { freeBytes: 50_000_000_000, totalBytes: 100_000_000_000 } },
    versions: { portal: '2.2.14', node: '24.21.0', database: '18.1' },
  },
};

const answersOf = (data: AdminDashboard) => createAnswers().on(getAdminDashboard, { success: true, data });

test('leads from each figure to where it is worked on', async () => {
  const { page } = openPortal({ path, user, answers: answersOf(DATA) });
  const addressOf = (name: string) => page.getByRole('link', { name }).getAttribute('href');
  const connections = within(await page.findByRole('region', { name: 'Sources and other connections' }));
  const failing = await connections.findByRole('link', { name: '2' });
  expect(failing.getAttribute('href')).toBe('/admin/connectors?health=failing');
  expect(addressOf('6')).toBe('/admin/brands');
  expect(addressOf('1,200')).toBe('/monitoring/companies');
  expect(addressOf('Contoso')).toBe(`/o365/organizations/certificate/${buildId(1)}/${buildId(2)}`);
  page.getByText(/^expired 2 days ago/);
});

test('is where the application begins', async () => {
  const { page, address } = openPortal({ path: '/admin', user, answers: answersOf(DATA) });
  await page.findByRole('region', { name: 'Queue' });
  expect(address()).toBe(path);
});

test('shows how the installation is', async () => {
  const { page } = openPortal({ path, user, answers: answersOf(DATA) });
  await page.findByText('sources.sync');
  page.getByText('2 failed');
  page.getByText('runs 2 of 4');
  page.getByText(/^last seen 2 hours ago/);
  page.getByText('18.1');
});

test('shows nothing of the installation to those who look after one provider', async () => {
  const { page } = openPortal({ path, user, answers: answersOf({ ...DATA, installation: null }) });
  await page.findByText('Contoso');
  expect(page.queryByRole('region', { name: 'Queue' })).toBeNull();
});

test('says that there is nothing to renew and nothing connected', async () => {
  const connections = { works: 0, failing: 0, untested: 0, off: 0 };
  const { page } = openPortal({ path, user, answers: answersOf({ ...DATA, certificates: [], connections }) });
  await page.findByText('No certificate expires within 30 days.');
  page.getByText('Nothing is connected yet.');
});
