import { getRepositoryHistory, listRepositories } from '@keepwatch/contract/inventory/repositories';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildRepository, quietDashboard } from '../dashboard/testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard';

async function openRepositories(data = [buildRepository()], count = data.length) {
  const answers = quietDashboard().on(listRepositories, { success: true, count, data });
  const opened = openPortal({ path, user: buildUser(), answers });
  const panel = within(await opened.page.findByRole('region', { name: 'Repositories' }));
  await panel.findAllByRole('button');
  return { ...opened, answers, panel };
}

test('says how full a repository is and when it will be full', async () => {
  const { panel } = await openRepositories([buildRepository({ fullAt: '2026-03-27T12:00:00.000Z' })]);
  const row = panel.getByRole('button', { name: /Repository 1/ });
  expect(row.textContent).toBe('Repository 1backup-180.0% full2 TB free of 10 TBfull in 12 days');
});

test('says in words, not in colours alone, which are nearly full and which are on the way there', async () => {
  const ratios = [0.998, 0.924, 0.899];
  const repositories = ratios.map((usedRatio, place) =>
    buildRepository({ _id: buildId(510 + place), name: `Share ${place}`, usedRatio, growthBytesPerDay: null }),
  );
  const { panel } = await openRepositories(repositories);
  const text = (place: number) => panel.getByRole('button', { name: new RegExp(`Share ${place}`) }).textContent;
  expect(text(0)).toContain('99.8% full, nearly full');
  expect(text(1)).toContain('92.4% full, filling up');
  expect(text(2)).toContain('89.9% full2 TB free');
});

test('puts another sign beside what is urgent than beside what is worth a look, and none beside the rest', async () => {
  const shapes = ['2026-03-18', '2026-04-01', '2026-10-01'].map((day, place) =>
    buildRepository({ _id: buildId(520 + place), name: `Share ${place}`, fullAt: `${day}T12:00:00.000Z` }),
  );
  const { panel } = await openRepositories(shapes);
  const sign = (place: number) =>
    panel.getByRole('button', { name: new RegExp(`Share ${place}`) }).querySelector('svg')?.innerHTML;
  expect(sign(0)).not.toBe(sign(1));
  expect([sign(0), sign(1)]).not.toContain(undefined);
  expect(sign(2)).toBeUndefined();
});

test('says that the capacity is not known', async () => {
  const unknown = buildRepository({ capacityBytes: null, freeBytes: null, usedRatio: null, usedBytes: 1_024 ** 4 });
  const { panel } = await openRepositories([unknown]);
  expect(panel.getByRole('button', { name: /Repository 1/ }).textContent).toBe(
    'Repository 1backup-1–1 TB usednot known',
  );
});

test('asks for them by the date on which they are full, and shows all of them on demand', async () => {
  const all = Array.from({ length: 60 }, (_, place) =>
    buildRepository({ _id: buildId(600 + place), name: `Share ${place}` }),
  );
  const answers = quietDashboard().on(listRepositories, ({ query: { sort, limit, offset } }) => {
    expect(sort).toBe('fullAt');
    return { success: true as const, count: all.length, data: all.slice(offset, offset + limit) };
  });
  const { page, person } = openPortal({ path, user: buildUser(), answers });
  const panel = within(await page.findByRole('region', { name: 'Repositories' }));
  await panel.findByText('60, the first to be full on top');
  await panel.findByText('Share 49');
  expect(panel.queryByText('Share 50')).toBeNull();
  await person.click(panel.getByRole('button', { name: 'Show more' }));
  await panel.findByText('Share 59');
});

test('shows the history of a repository when it is opened, and closes it again', async () => {
  const { panel, person, answers } = await openRepositories();
  const usage = (day: string, usedBytes: number) => ({ day, capacityBytes: 10 * 1_024 ** 4, usedBytes, freeBytes: 0 });
  const data = [usage('2026-01-01', 4 * 1_024 ** 4), usage('2026-03-15', 8 * 1_024 ** 4)];
  answers.on(getRepositoryHistory, { success: true, data });
  const row = panel.getByRole('button', { name: /Repository 1/ });
  expect(row.getAttribute('aria-expanded')).toBe('false');
  await person.click(row);
  await panel.findByText(/^4 TB used on 01\/01\/26, 8 TB on 03\/15\/26; grows 1 GB a day\./);
  expect(answers.asked(getRepositoryHistory)[0]?.query).toEqual({
    from: '2025-12-16T00:00:00.000Z',
    to: '2026-03-15T23:59:59.999Z',
    repositoryId: buildId(500),
  });
  await person.click(row);
  expect(row.getAttribute('aria-expanded')).toBe('false');
  expect(panel.queryByText(/grows 1 GB a day/)).toBeNull();
});

test('reads the history again after a failure', async () => {
  const { panel, person, answers } = await openRepositories();
  answers.refuse(getRepositoryHistory, 422, {
    code: 'INTERNAL_ERROR',
    message: 'Error while trying to get the repository history',
  });
  await person.click(panel.getByRole('button', { name: /Repository 1/ }));
  await panel.findByRole('alert');
  answers.on(getRepositoryHistory, { success: true, data: [] });
  await person.click(panel.getByRole('button', { name: 'Try again' }));
  await panel.findByText(/No history of the last 90 days/);
});

test('says where repositories come from when there are none', async () => {
  const { page } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await page.findByText(/appear after its next sync/);
});
