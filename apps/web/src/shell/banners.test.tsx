import {
  acknowledgeNotification,
  listNotifications,
  type Notification,
} from '@keepwatch/contract/notifications/notifications';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Screen } from '../kit/screen.ts';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const screens: Screen[] = [
  {
    path: '/monitoring/dashboard',
    title: 'Dashboard',
    access: 'signed-in',
    load: async () => ({ default: () => <p>Figures</p> }),
  },
];

function buildBanner(fields: Partial<Notification> = {}): Notification {
  return {
    _id: buildId(1),
    app: 'monitoring',
    userId: null,
    event: 'maintenance',
    message: 'The portal is away on Sunday.',
    severity: 'warning',
    hideAck: false,
    hideClose: false,
    link: null,
    copy: null,
    ...fields,
  };
}

async function open(...banners: Notification[]) {
  const answers = createAnswers().on(listNotifications, { success: true, data: banners });
  const opened = openPortal({ path: '/monitoring/dashboard', user: buildUser(), screens, answers });
  await opened.page.findByText('Figures');
  return opened;
}

test('shows the banners of this application above the screen', async () => {
  const { page } = await open(buildBanner(), buildBanner({ _id: buildId(2), app: 'o365', message: 'Not here' }));
  expect(await page.findByText('The portal is away on Sunday.')).toBeDefined();
  expect(page.getByLabelText('warning')).toBeDefined();
  expect(page.queryByText('Not here')).toBeNull();
});

test('acknowledges a banner for good', async () => {
  const { page, person, answers } = await open(buildBanner());
  answers.on(acknowledgeNotification, { success: true });
  await page.findByText('The portal is away on Sunday.');
  answers.on(listNotifications, { success: true, data: [] });
  await person.click(page.getByRole('button', { name: 'Acknowledge' }));
  await expect.poll(() => page.queryByText('The portal is away on Sunday.')).toBeNull();
  const { id, username } = buildUser();
  expect(answers.asked(acknowledgeNotification).map(({ body }) => body)).toEqual([
    { notificationId: buildId(1), userId: id, event: 'maintenance', username },
  ]);
});

test('reports a failed acknowledgement and keeps the banner', async () => {
  const { page, person, answers } = await open(buildBanner());
  const message = 'The notification could not be acknowledged, try again later.';
  answers.refuse(acknowledgeNotification, 500, { code: 'INTERNAL_ERROR', message });
  await person.click(await page.findByRole('button', { name: 'Acknowledge' }));
  await page.findByText(message);
  expect(page.getByText('The portal is away on Sunday.')).toBeDefined();
});

test('closes a banner for this visit without calling the server', async () => {
  const { page, person } = await open(buildBanner());
  await person.click(await page.findByRole('button', { name: 'Close for now' }));
  expect(page.queryByText('The portal is away on Sunday.')).toBeNull();
});

test('has neither control where the banner is to stay', async () => {
  const { page } = await open(buildBanner({ hideAck: true, hideClose: true }));
  await page.findByText('The portal is away on Sunday.');
  expect(page.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
  expect(page.queryByRole('button', { name: 'Close for now' })).toBeNull();
});

test('copies its link', async () => {
  const { page, person } = await open(buildBanner({ copy: 'https://example.test/join' }));
  await person.click(await page.findByRole('button', { name: 'Copy link' }));
  await page.findByText('Link copied to clipboard');
  expect(await navigator.clipboard.readText()).toBe('https://example.test/join');
});

test('says that the link was not copied where the browser does not allow it', async () => {
  const { page, person } = await open(buildBanner({ copy: 'https://example.test/join' }));
  const copyButton = await page.findByRole('button', { name: 'Copy link' });
  const spy = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  onTestFinished(() => spy.mockRestore());
  await person.click(copyButton);
  await page.findByText('Your browser did not allow copying. The link is: https://example.test/join');
});

test('leads to the link of a banner', async () => {
  const { page } = await open(buildBanner({ link: '/monitoring/sources' }));
  expect((await page.findByRole('link', { name: 'Open' })).getAttribute('href')).toBe('/monitoring/sources');
});
