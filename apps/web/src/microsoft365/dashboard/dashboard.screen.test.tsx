import {
  readBackupStatus,
  readHighestStorageUsers,
  readLicenseActivity,
  readLicenses,
  readRetention,
  readUserFigures,
} from '@keepwatch/contract/microsoft365/dashboard';
import { listM365Jobs } from '@keepwatch/contract/microsoft365/jobs';
import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import {
  addPeopleToJob,
  listAgedObjects,
  listUnprotectedPeople,
  readObjectAges,
  readProtectedPeople,
  readProvedJobs,
} from '@keepwatch/contract/microsoft365/protection';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildOrganizationName, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildJob, buildLicensedUser } from '../testing/builders.ts';

const path = '/o365/dashboard';
const user = buildUser({ roles: ['o365_admin'] });
const contoso = buildOrganizationName({ companyName: 'Acme' });

const group = { organizationId: buildId(10), organizationName: 'Contoso', jobId: buildId(30), jobName: 'Nightly' };
const people = {
  ...{ people: 320, unprotected: 8, readTime: '2026-03-15T11:00:00.000Z', unread: [], uncounted: 2 },
  groups: [
    { ...group, reason: 'no-job' as const, people: 5 },
    { ...group, reason: 'disabled' as const, people: 3 },
  ],
};
const proofs = {
  ...{ jobs: 4, success: 2, warning: 0, failed: 1, never: 1 },
  last: {
    ...{ jobId: buildId(30), jobName: 'Nightly', organizationName: 'Contoso', status: 'Success' as const },
    ...{ endTime: '2026-03-12T11:00:00.000Z', items: 20, bytes: 41 * 1_024 ** 2 },
  },
  open: [{ jobId: buildId(31), jobName: 'Sites', organizationName: 'Contoso', status: 'Failed' as const }],
};

function answersOf() {
  return createAnswers()
    .on(listOrganizationNames, { success: true, data: [contoso] })
    .on(listM365Jobs, { success: true, count: 1, data: [buildJob(30)] })
    .on(readBackupStatus, {
      success: true,
      data: {
        jobs: { total: 20, success: 14, warning: 2, failed: 1, running: 1, neverRun: 2, disabled: 3 },
        days: [
          { day: '2026-03-14', success: 9, warning: 0, failed: 1, running: 0 },
          { day: '2026-03-15', success: 4, warning: 2, failed: 0, running: 1 },
        ],
      },
    })
    .on(readProtectedPeople, { success: true, data: people })
    .on(readObjectAges, {
      success: true,
      data: [
        { age: 'day', objects: 640 },
        { age: 'three-days', objects: 12 },
        { age: 'week', objects: 0 },
        { age: 'month', objects: 0 },
        { age: 'older', objects: 2 },
        { age: 'never', objects: 1 },
      ],
    })
    .on(readProvedJobs, { success: true, data: proofs })
    .on(readUserFigures, {
      success: true,
      data: { licensed: 2_000, mailbox: 1_990, archive: 40, drive: 1_800, chats: 0, stale: 7, organizations: 3 },
    })
    .on(readLicenseActivity, {
      success: true,
      data: [
        { day: '2026-03-14', licensed: 1_998, added: 1, released: 0 },
        { day: '2026-03-15', licensed: 2_000, added: 3, released: 1 },
      ],
    })
    .on(readLicenses, {
      success: true,
      data: {
        ...{ licensedUsers: 2_001, newUsers: 4, releasedUsers: 1, organizationCount: 1 },
        organizations: [
          {
            ...{ id: buildId(10), name: 'Contoso', companyName: 'Acme' },
            ...{ licensedUsers: 2_001, newUsers: 4, releasedUsers: 1 },
          },
        ],
      },
    })
    .on(readHighestStorageUsers, { success: true, data: [buildLicensedUser(50, { name: 'Ada Lovelace' })] })
    .on(readRetention, {
      success: true,
      data: [
        {
          ...{ retentionPolicy: 5, usedBytes: 1_024 ** 4 },
          repositories: [
            {
              ...{ id: buildId(20), name: 'Vault', organizationId: buildId(10), organizationName: 'Contoso' },
              ...{ companyName: 'Acme', usedBytes: 1_024 ** 4, immutableDays: 30 },
            },
          ],
        },
        {
          ...{ retentionPolicy: null, usedBytes: null },
          repositories: [
            {
              ...{ id: buildId(21), name: 'Archive', organizationId: buildId(10), organizationName: 'Contoso' },
              ...{ companyName: 'Acme', usedBytes: null, immutableDays: 0 },
            },
          ],
        },
      ],
    });
}

/** Opens the dashboard and waits for its panels. */
async function openDashboard(answers = answersOf()) {
  const opened = openPortal({ path, user, answers });
  const panelOf = async (name: string) => within(await opened.page.findByRole('region', { name }));
  return { ...opened, panelOf, answers };
}
const hrefOf = (link: HTMLElement) => link.getAttribute('href');

test('says first how many people are backed up, and why the others are not', async () => {
  const { page, panelOf, person, answers } = await openDashboard();
  const everybody = await panelOf('Is everybody protected?');
  await everybody.findByText('of 320');
  everybody.getByRole('link', { name: '312' });
  everybody.getByRole('link', { name: '2 organizations of a Veeam server not counted' });
  const disabled = everybody.getByRole('button', { name: /^3 Nightly is disabled/ });
  expect(hrefOf(everybody.getByRole('link', { name: 'Open job' }))).toBe(`/o365/jobs?open=${buildId(30)}`);
  answers.on(listUnprotectedPeople, {
    success: true,
    count: 3,
    data: [{ ...group, reason: 'disabled', objectId: 'bob', name: 'Bob', address: 'bob@x', companyName: 'Acme' }],
  });
  await person.click(disabled);
  const dialog = within(await page.findByRole('dialog', { name: 'Contoso: Nightly is disabled (3)' }));
  await dialog.findByText('bob@x · Contoso · Nightly is disabled');
  expect(answers.asked(listUnprotectedPeople)).toMatchObject([{ query: { reason: 'disabled', jobId: buildId(30) } }]);
});

test.each([
  ['no organization is connected', [], null, /^No organization is connected yet/],
  [
    'a directory is being read',
    [{ organizationId: buildId(10), organizationName: 'Contoso', message: null }],
    null,
    /^The directory is read now/,
  ],
  ['no person has a licence of Microsoft', [], '2026-03-15T05:00:00.000Z', /^No person of these organizations/],
  ['a Veeam server backs up all of them', [], null, /^These organizations are backed up by a Veeam server/, 3],
])('says why there are no figures of people: %s', async (_why, unread, readTime, text, uncounted = 0) => {
  const none = { people: 0, unprotected: 0, groups: [], unread, uncounted, readTime };
  const { panelOf } = await openDashboard(answersOf().on(readProtectedPeople, { success: true, data: none }));
  const everybody = await panelOf('Is everybody protected?');
  await everybody.findByText(text);
  const link = everybody.queryByRole('link', { name: 'Connect organization' });
  expect(link?.getAttribute('href')).toBe(
    unread.length + uncounted === 0 && readTime === null ? '/o365/organizations/new/1' : undefined,
  );
});

test('adds those whom no job has to a job by one press', async () => {
  const { page, panelOf, person, answers } = await openDashboard();
  answers.on(addPeopleToJob, { success: true, data: { people: 5 } });
  const everybody = await panelOf('Is everybody protected?');
  await person.click(await everybody.findByRole('button', { name: 'Add to Nightly' }));
  await page.findByText('5 people are backed up by Nightly from its next run on.');
  const body = { organizationId: buildId(10), reason: 'no-job' };
  expect(answers.asked(addPeopleToJob)).toMatchObject([{ params: { jobId: buildId(30) }, body }]);
});

test('shows the age of the newest complete backups, and lists those of an age', async () => {
  const { page, panelOf, person, answers } = await openDashboard();
  const recent = await panelOf('Is it recent?');
  await recent.findByText('of 655');
  answers.on(listAgedObjects, {
    success: true,
    count: 1,
    data: [
      {
        ...{ kind: 'mailbox', name: 'Ada', organizationName: 'Contoso', companyName: 'Acme' },
        ...{ jobId: buildId(30), jobName: 'Nightly', completeTime: null },
      },
    ],
  });
  await person.click(recent.getByRole('button', { name: '1 never complete' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Objects never complete (1)' }));
  await dialog.findByText('mailbox · Contoso · Nightly · never complete');
  expect(answers.asked(listAgedObjects)).toMatchObject([{ query: { age: 'never' } }]);
});

test('says what was proved last, and which proofs are open', async () => {
  const { panelOf } = await openDashboard();
  const proved = await panelOf('Can it be restored?');
  await proved.findByText('of 4');
  expect(hrefOf(proved.getByRole('link', { name: /^Proved restorable .*: 20 items, 41 MB/ }))).toBe(
    `/o365/jobs?open=${buildId(30)}`,
  );
  expect(hrefOf(proved.getByRole('link', { name: /^Sites the last proof failed/ }))).toBe(
    `/o365/jobs?open=${buildId(31)}`,
  );
});

test('counts the jobs by their last run, each figure with a link to these jobs', async () => {
  const { panelOf } = await openDashboard();
  const jobs = await panelOf('Jobs');
  expect(hrefOf(await jobs.findByRole('link', { name: '1 Failed' }))).toBe('/o365/jobs?status=Failed');
  expect(hrefOf(jobs.getByRole('link', { name: '14 Success' }))).toBe('/o365/jobs?status=Success');
  expect(hrefOf(jobs.getByRole('link', { name: '2 Never run' }))).toBe('/o365/jobs?only=never-run');
  expect(hrefOf(jobs.getByRole('link', { name: '3 jobs are disabled' }))).toBe('/o365/jobs?only=disabled');
});

test('draws runs and licences by day; a day leads to what it counts, by the keyboard too', async () => {
  const { panelOf, person } = await openDashboard();
  const runs = await panelOf('Runs');
  const newest = await runs.findByRole('link', { name: 'Mar 15, 2026: 2 warning, 1 running, 4 success' });
  expect(hrefOf(newest)).toBe('/o365/jobs?ranOn=2026-03-15');
  newest.focus();
  await person.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(document.activeElement).toBe(runs.getByRole('link', { name: 'Mar 14, 2026: 1 failed, 9 success' }));
  const activity = await panelOf('Licence activity');
  const day = await activity.findByRole('link', { name: 'Mar 15, 2026: 2,000 licensed, 3 new, 1 released' });
  expect(hrefOf(day)).toBe('/o365/license-consumption?date=2026-03-15..2026-03-15');
});

test('counts the users by what is backed up, and names those without a backup for a week', async () => {
  const { panelOf } = await openDashboard();
  const users = await panelOf('Users');
  expect(hrefOf(await users.findByRole('link', { name: '2,000' }))).toBe('/o365/license-consumption?date=Today');
  expect(hrefOf(users.getByRole('link', { name: '1,800 OneDrive' }))).toBe(
    '/o365/license-consumption?date=Today&part=drive',
  );
  expect(hrefOf(users.getByRole('link', { name: '7 without backup for 7 days' }))).toBe(
    '/o365/license-consumption?date=Today&stale=true',
  );
});

test('ranks organizations and users, and shows what each repository keeps', async () => {
  const { panelOf } = await openDashboard();
  const licences = await panelOf('Licences');
  expect(hrefOf(await licences.findByRole('link', { name: 'Contoso' }))).toBe(
    `/o365/license-consumption?date=Last+31+Days&organization=${buildId(10)}`,
  );
  const storage = await panelOf('Highest storage');
  expect(hrefOf(await storage.findByRole('link', { name: 'Ada Lovelace' }))).toBe(
    `/o365/license-consumption?date=Today&sort=-bytes&open=${buildId(50)}`,
  );
  storage.getByText('4 GB');
  const retention = await panelOf('Retention');
  expect(hrefOf(await retention.findByRole('link', { name: 'Vault' }))).toBe(`/o365/repositories?open=${buildId(20)}`);
  retention.getByText('5 years');
  retention.getByText('locked for 30 days · 1 TB');
  retention.getByText('1 repository · not measured yet');
});

test('a panel that fails says so and is tried again on its own', async () => {
  const answers = answersOf().refuse(readRetention, 500, {
    code: 'INTERNAL_ERROR',
    message: 'The repositories are away.',
  });
  const { panelOf, person } = await openDashboard(answers);
  const retention = await panelOf('Retention');
  await retention.findByText('The repositories are away.');
  answers.on(readRetention, { success: true, data: [] });
  await person.click(retention.getByRole('button', { name: 'Try again' }));
  await retention.findByText('No repository yet.');
  await (await panelOf('Jobs')).findByRole('link', { name: '1 Failed' });
});

test('leads on where there is no organization', async () => {
  const none = answersOf().on(listOrganizationNames, { success: true, data: [] });
  const { page } = openPortal({ path, user, answers: none });
  expect(hrefOf(await page.findByRole('link', { name: 'Connect organization' }))).toBe('/o365/organizations/new/1');
});

test('leads on where there is no job', async () => {
  const idle = answersOf().on(listM365Jobs, { success: true, count: 0, data: [] });
  const { page } = openPortal({ path, user, answers: idle });
  expect(hrefOf(await page.findByRole('link', { name: 'Create job' }))).toBe('/o365/jobs/1');
});
