import { listFaults } from '@keepwatch/contract/faults/faults';
import { listJobNames } from '@keepwatch/contract/insights/calendar';
import { getChanges } from '@keepwatch/contract/insights/changes';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildChanges, buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { quietDashboard } from '../dashboard/testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard?source=office365';
const since = '2026-03-14T12:00:00.000Z';
const changed = buildChanges({
  newFaults: { count: 12, names: ['Files', 'Mail', 'SQL logs'] },
  healedFaults: { count: 1, names: ['Nightly'] },
  stoppedSources: [{ _id: buildId(9), name: 'Main console', readTo: '2026-03-15T03:10:00.000Z' }],
});
const none = { success: true as const, count: 0, data: [] };

async function openChanges(user = buildUser()) {
  const answers = quietDashboard()
    .on(getChanges, { success: true, data: changed })
    .on(listFaults, none)
    .on(listJobNames, none);
  const opened = openPortal({ path, user, answers });
  const panel = within(await opened.page.findByRole('region', { name: 'Since yesterday' }));
  await panel.findByText('Files, Mail, SQL logs and 9 more');
  return { ...opened, panel };
}

test('says what is new, what healed and what stopped, with the first names of each', async () => {
  const { panel, answers } = await openChanges();
  expect(panel.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '12 new faultsFiles, Mail, SQL logs and 9 more',
    '1 healed faultNightly',
    '0 new jobsnone',
    '1 stopped sourceMain console, last read 03/15/26 03:10 AM',
  ]);
  expect(answers.asked(getChanges)[0]?.query).toEqual({ filter: { source: ['office365'] } });
});

test('says only when a source was last read where its name is not for the user', async () => {
  const answers = quietDashboard().on(getChanges, {
    success: true,
    data: buildChanges({ stoppedSources: [{ _id: buildId(9), name: null, readTo: '2026-03-15T03:10:00.000Z' }] }),
  });
  const { page } = openPortal({ path, user: buildUser({ roles: ['sub-sp'] }), answers });
  await page.findByText('last read 03/15/26 03:10 AM');
});

test('lists from each figure exactly what it counts', async () => {
  const { page, panel, person, answers } = await openChanges();
  const open = async (figure: string, title: string) => {
    await person.click(panel.getByRole('button', { name: figure }));
    await page.findByRole('dialog', { name: title });
    await person.keyboard('{Escape}');
  };
  await open('12 new faults', 'New faults (0)');
  await open('1 healed fault', 'Healed faults (0)');
  await open('0 new jobs', 'New jobs (0)');
  const source = ['office365'];
  expect(answers.asked(listFaults).map(({ query }) => query.filter)).toEqual([
    { source, openedFrom: since, state: ['pending', 'in-progress'] },
    { source, closedFrom: since, state: ['healed'] },
  ]);
  expect(answers.asked(listJobNames)[0]?.query).toMatchObject({ source, knownFrom: since });
});

test('leads those who may not open runs to the companies, and to the sources, which they look after', async () => {
  const { panel } = await openChanges(buildUser({ roles: ['admin'] }));
  const href = (name: string) => panel.getByRole('link', { name }).getAttribute('href');
  expect(href('12 new faults')).toBe('/monitoring/companies?sort=-failed');
  expect(href('1 stopped source')).toBe('/monitoring/sources');
});
