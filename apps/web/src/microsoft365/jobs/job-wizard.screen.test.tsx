import {
  createM365Job,
  editM365Job,
  listJobsOfOrganization,
  listM365Jobs,
  listProxies,
  listProxyPools,
  readLatestSession,
  readM365Job,
} from '@keepwatch/contract/microsoft365/jobs';
import {
  listOrganizationGroups,
  listOrganizationNames,
  listOrganizationSites,
  listOrganizationSubsites,
  listOrganizationUsers,
} from '@keepwatch/contract/microsoft365/organizations';
import { listRepositoriesOf } from '@keepwatch/contract/microsoft365/repositories';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildOrganizationName, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildJob, buildRepository } from '../testing/builders.ts';

const user = buildUser({ roles: ['o365_admin'] });
const organization = buildOrganizationName();
const job = { ...buildJob(30, { name: 'Nightly' }), selectedItems: { results: [] }, excludedItems: { results: [] } };

function buildProxy(number: number) {
  return {
    id: buildId(number),
    name: `worker-${number}`,
    version: '2.2.14',
    pool: null,
    isOnline: true,
    seenAt: null,
    running: 0,
    capacity: 4,
    runs: [],
  };
}

const people = Array.from({ length: 20_000 }, (_, place) => ({
  id: `user-${place}`,
  name: `Person ${place}`,
  address: `person${place}@contoso.test`,
  isPersonal: false,
  hasChildren: false,
}));
const site = { id: 'site-1', name: 'Intranet', address: 'https://contoso.test', isPersonal: false, hasChildren: true };

function answersWith({ proxies = 1, repositories = 1 } = {}) {
  const many = <T,>(count: number, build: (number: number) => T) =>
    Array.from({ length: count }, (_, at) => build(20 + at));
  return createAnswers()
    .on(listOrganizationNames, { success: true, data: [organization] })
    .on(listProxies, { success: true, data: many(proxies, buildProxy) })
    .on(listProxyPools, { success: true, data: [{ id: buildId(29), name: 'Frankfurt', proxyCount: 2 }] })
    .on(listRepositoriesOf, { success: true, data: many(repositories, buildRepository) })
    .on(listJobsOfOrganization, { success: true, count: 1, data: [job] })
    .on(listM365Jobs, { success: true, count: 1, data: [job] })
    .on(readM365Job, { success: true, data: job })
    .on(readLatestSession, { success: true, data: null, history: [] })
    .on(listOrganizationUsers, ({ query: { search = '', limit, offset } }) => {
      const found = people.filter(({ name }) => name.includes(search));
      return { success: true as const, count: found.length, data: found.slice(offset, offset + limit), isWhole: true };
    })
    .on(listOrganizationGroups, { success: true, count: 0, data: [], isWhole: true })
    .on(listOrganizationSites, { success: true, count: 1, data: [site], isWhole: true })
    .on(listOrganizationSubsites, {
      success: true,
      count: 1,
      data: [{ ...site, id: 'site-2', name: 'News' }],
      isWhole: true,
    })
    .on(createM365Job, { success: true, data: job });
}

type Opened = ReturnType<typeof openPortal>;
const heading = ({ page }: Opened, name: RegExp) => page.findByRole('heading', { name });
const press = async ({ page, person }: Opened, name: string) => person.click(page.getByRole('button', { name }));

async function openSecondStep(answers = answersWith()) {
  const opened = openPortal({ path: '/o365/jobs/1', user, answers });
  await heading(opened, /^Basics/);
  await opened.person.type(opened.page.getByLabelText(/^Name/), 'Nightly');
  await press(opened, 'Next');
  await heading(opened, /^What to back up/);
  return opened;
}

async function openLastStep(answers = answersWith()) {
  const opened = await openSecondStep(answers);
  await press(opened, 'Next');
  await heading(opened, /^Exclusions/);
  await press(opened, 'Next');
  return opened;
}

test('creates a job of the whole organization: with one proxy and one repository without asking for them', async () => {
  const opened = await openLastStep();
  await heading(opened, /^Schedule/);
  expect(opened.address()).toBe('/o365/jobs/5');
  await press(opened, 'Back');
  await heading(opened, /^Exclusions/);
  expect(opened.address()).toBe('/o365/jobs/3');
  await press(opened, 'Next');
  await heading(opened, /^Schedule/);
  await press(opened, 'Create job');
  await opened.page.findByText('The job Nightly has been created.');
  expect(opened.answers.asked(createM365Job)[0]?.body).toMatchObject({
    organizationId: buildId(10),
    name: 'Nightly',
    backupType: 'EntireOrganization',
    selectedItems: { results: [] },
    // That one proxy now, and any other when there are several.
    proxyId: null,
    repositoryId: buildId(20),
    schedulePolicy: {
      ...{ runAuto: true, type: 'Daily', dailyType: 'Everyday', dailyTime: '22:00', runNow: true },
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  });
  expect(opened.address()).toBe(`/o365/jobs?open=${buildId(30)}`);
});

test('asks for proxy and repository where there are several', async () => {
  const opened = await openLastStep(answersWith({ repositories: 2 }));
  await heading(opened, /^Proxy and repository/);
  expect(opened.address()).toBe('/o365/jobs/4');
  await press(opened, 'Next');
  expect(opened.address()).toBe('/o365/jobs/4');
  await opened.person.selectOptions(opened.page.getByLabelText(/^Repository/), buildId(21));
  await press(opened, 'Next');
  await heading(opened, /^Schedule/);
  await press(opened, 'Create job');
  await waitFor(() => expect(opened.answers.asked(createM365Job)).toHaveLength(1));
  expect(opened.answers.asked(createM365Job)[0]?.body).toMatchObject({ proxyId: null, repositoryId: buildId(21) });
});

test('lets a job run on any proxy of a pool', async () => {
  const opened = await openLastStep(answersWith({ proxies: 2 }));
  await heading(opened, /^Proxy and repository/);
  await opened.page.findByRole('option', { name: 'Any of the pool Frankfurt (2 proxies)' });
  await opened.person.selectOptions(opened.page.getByLabelText(/^Proxy/), buildId(29));
  await opened.person.selectOptions(opened.page.getByLabelText(/^Repository/), buildId(20));
  await press(opened, 'Next');
  await heading(opened, /^Schedule/);
  await press(opened, 'Create job');
  await waitFor(() => expect(opened.answers.asked(createM365Job)).toHaveLength(1));
  expect(opened.answers.asked(createM365Job)[0]?.body).toMatchObject({ proxyId: buildId(29) });
});

test('asks for the time zone wherever a time or an hour is in one', async () => {
  const opened = await openLastStep();
  await heading(opened, /^Schedule/);
  const { page, person } = opened;
  const zone = () => page.queryByLabelText(/^Time zone/);
  await page.findByLabelText(/^Time zone/);
  await person.selectOptions(await page.findByLabelText(/^Runs/), 'Continuously');
  expect(zone()).toBeNull();
  await person.click(page.getByLabelText('Run only in some hours'));
  await person.selectOptions(await page.findByLabelText(/^Time zone/), 'Asia/Tokyo');
  await press(opened, 'Create job');
  await waitFor(() => expect(opened.answers.asked(createM365Job)).toHaveLength(1));
  expect(opened.answers.asked(createM365Job)[0]?.body.schedulePolicy.timeZone).toBe('Asia/Tokyo');
});

test('leads to the repositories where there is none', async () => {
  const opened = await openLastStep(answersWith({ repositories: 0 }));
  await heading(opened, /^Proxy and repository/);
  const link = await opened.page.findByRole('link', { name: 'Create repository' });
  expect(link.getAttribute('href')).toBe(`/o365/repositories?organization=${buildId(10)}`);
});

test('chooses among tens of thousands of users, of which only what is on screen is read', async () => {
  const opened = await openSecondStep();
  const { page, person, answers } = opened;
  await person.click(await page.findByRole('radio', { name: 'Selected objects' }));
  await press(opened, 'Next');
  await page.findByText('Choose at least one object.');
  await page.findByText('Person 0');
  page.getByText('20,000 users');
  expect(answers.asked(listOrganizationUsers).map(({ query }) => query.limit)).toEqual([100]);
  await person.type(page.getByRole('searchbox', { name: 'Search users' }), 'Person 19999{Enter}');
  await page.findByText('1 user');
  await heading(opened, /^What to back up/);
  await person.click(page.getByRole('checkbox', { name: 'Choose Person 19999' }));
  await page.findByText('1 object chosen');
  await person.click(page.getByRole('checkbox', { name: 'OneDrive of Person 19999' }));
  await press(opened, 'Next');
  await heading(opened, /^Exclusions/);
  await press(opened, 'Next');
  await heading(opened, /^Schedule/);
  await press(opened, 'Create job');
  await waitFor(() => expect(answers.asked(createM365Job)).toHaveLength(1));
  expect(answers.asked(createM365Job)[0]?.body.selectedItems.results).toEqual([
    {
      type: 'User',
      id: 'user-19999',
      name: 'Person 19999',
      mailbox: true,
      archiveMailbox: true,
      oneDrive: false,
      sites: false,
      personalSite: true,
      teams: true,
    },
  ]);
});

test('excludes a site below another one', async () => {
  const opened = await openSecondStep();
  const { page, person, answers } = opened;
  await press(opened, 'Next');
  await heading(opened, /^Exclusions/);
  await person.click(await page.findByText('Sites'));
  await person.click(await page.findByRole('button', { name: 'Subsites of Intranet' }));
  await person.click(await page.findByRole('checkbox', { name: 'Choose News' }));
  await press(opened, 'Next');
  await heading(opened, /^Schedule/);
  await press(opened, 'Create job');
  await waitFor(() => expect(answers.asked(createM365Job)).toHaveLength(1));
  expect(answers.asked(listOrganizationSubsites)[0]?.params.siteId).toBe('site-1');
  expect(answers.asked(createM365Job)[0]?.body.excludedItems.results).toMatchObject([{ type: 'Site', id: 'site-2' }]);
});

test.each<[string, (opened: Opened) => Promise<void>, object]>([
  [
    'Monthly',
    async ({ page, person }) => {
      await person.clear(page.getByLabelText(/^Day of the month/));
      await person.type(page.getByLabelText(/^Day of the month/), '31');
    },
    { type: 'Monthly', dayOfMonth: 31 },
  ],
  [
    'Periodically',
    async ({ page, person }) => {
      await person.clear(page.getByLabelText(/^Every so many minutes/));
      await person.type(page.getByLabelText(/^Every so many minutes/), '15');
    },
    { type: 'Periodically', periodicallyEvery: 15 },
  ],
  ['Continuously', async () => {}, { type: 'Continuously', runAuto: true }],
  [
    'Chained',
    async ({ page, person }) => person.selectOptions(await page.findByLabelText(/^After/), buildId(30)),
    { type: 'Chained', afterJobId: buildId(30) },
  ],
  ['Disabled', async () => {}, { type: 'Disabled', runAuto: false }],
])('sends a schedule of the type %s', async (type, fill, policy) => {
  const opened = await openLastStep();
  await heading(opened, /^Schedule/);
  await opened.person.selectOptions(await opened.page.findByLabelText(/^Runs/), type);
  await fill(opened);
  await press(opened, 'Create job');
  await waitFor(() => expect(opened.answers.asked(createM365Job)).toHaveLength(1));
  expect(opened.answers.asked(createM365Job)[0]?.body.schedulePolicy).toMatchObject(policy);
});

test('sends the hours in which a job may run', async () => {
  const opened = await openLastStep();
  const { page, person, answers } = opened;
  await heading(opened, /^Schedule/);
  await person.click(await page.findByLabelText('Run only in some hours'));
  await person.click(page.getByRole('button', { name: 'Nights (20:00 to 6:00)' }));
  await person.click(page.getByRole('checkbox', { name: 'Monday 6:00' }));
  await press(opened, 'Create job');
  await waitFor(() => expect(answers.asked(createM365Job)).toHaveLength(1));
  const { backupWindow } = answers.asked(createM365Job)[0]?.body.schedulePolicy ?? {};
  expect(backupWindow?.filter((isOn) => isOn)).toHaveLength(7 * 10 + 1);
  expect([backupWindow?.[5], backupWindow?.[6], backupWindow?.[7], backupWindow?.[30]]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('sets the hours that are dragged over, and those that arrow keys with Shift reach', async () => {
  const opened = await openLastStep();
  const { page, person } = opened;
  await heading(opened, /^Schedule/);
  await person.click(await page.findByLabelText('Run only in some hours'));
  const hour = (name: string) => page.getByRole('checkbox', { name });
  const off = () => page.queryAllByRole('checkbox', { name: /day \d+:00$/, checked: false }).map(({ title }) => title);
  await person.pointer([
    { keys: '[MouseLeft>]', target: hour('Monday 8:00') },
    { target: hour('Tuesday 9:00') },
    { keys: '[/MouseLeft]' },
  ]);
  expect(off()).toEqual(['Monday 8:00', 'Monday 9:00', 'Tuesday 8:00', 'Tuesday 9:00']);
  hour('Tuesday 9:00').focus();
  await person.keyboard('{Shift>}{ArrowDown}{/Shift}{ArrowUp}{ArrowUp} ');
  expect(off()).toEqual(['Monday 8:00', 'Tuesday 8:00', 'Tuesday 9:00', 'Wednesday 9:00']);
});

test('has what was entered when a step is opened again', async () => {
  const opened = await openLastStep();
  await heading(opened, /^Schedule/);
  const steps = within(opened.page.getByRole('navigation', { name: 'Steps' }));
  await opened.person.click(steps.getByRole('button', { name: 'Basics' }));
  await heading(opened, /^Basics/);
  expect(opened.address()).toBe('/o365/jobs/1');
  expect(opened.page.getByLabelText(/^Name/)).toHaveProperty('value', 'Nightly');
});

test('says beside its field what the server refuses, in the step of the field', async () => {
  const answers = answersWith();
  const message = 'There is a job of this name.';
  answers.refuse(createM365Job, 409, { code: 'CONFLICT', message, errors: [{ path: 'body.name', message }] });
  const opened = await openLastStep(answers);
  await heading(opened, /^Schedule/);
  await press(opened, 'Create job');
  await heading(opened, /^Basics/);
  opened.page.getByText(message);
});

test('says that another person has changed the job, keeps what was entered, and replaces that when it is saved again', async () => {
  const answers = answersWith();
  const message = '"Nightly" was changed by another person.';
  answers.refuse(editM365Job, 409, { code: 'JOB_CHANGED', message });
  const opened = openPortal({ path: `/o365/jobs/1?job=${buildId(30)}`, user, answers });
  await heading(opened, /^Basics/);
  await opened.person.type(opened.page.getByLabelText(/^Name/), ' 2');
  for (const next of [/^What to back up/, /^Exclusions/, /^Schedule/]) {
    await press(opened, 'Next');
    await heading(opened, next);
  }
  answers.on(readM365Job, { success: true, data: { ...job, name: 'Changed', version: 5 } });
  await press(opened, 'Save job');
  await opened.page.findByText(message);
  answers.on(editM365Job, { success: true, data: job });
  await press(opened, 'Save job');
  await opened.page.findByText('The job Nightly has been changed.');
  expect(answers.asked(editM365Job).map(({ body }) => [body.name, body.version])).toEqual([
    ['Nightly 2', 1],
    ['Nightly 2', 5],
  ]);
});

test('changes a job, without running it', async () => {
  const answers = answersWith().on(editM365Job, { success: true, data: job });
  const opened = openPortal({ path: `/o365/jobs/1?job=${buildId(30)}`, user, answers });
  await heading(opened, /^Basics/);
  await opened.person.type(opened.page.getByLabelText(/^Name/), ' 2');
  await press(opened, 'Next');
  await heading(opened, /^What to back up/);
  await press(opened, 'Next');
  await heading(opened, /^Exclusions/);
  await press(opened, 'Next');
  await heading(opened, /^Schedule/);
  await press(opened, 'Save job');
  await opened.page.findByText('The job Nightly has been changed.');
  expect(answers.asked(editM365Job)[0]).toMatchObject({
    params: { jobId: buildId(30) },
    body: { name: 'Nightly 2', schedulePolicy: { runNow: false } },
  });
});
