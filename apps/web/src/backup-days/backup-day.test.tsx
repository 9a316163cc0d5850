import { editBackupClock, getBackupClock, type ProviderClock } from '@keepwatch/contract/backup-days/backup-clock';
import { act, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Answers, createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const UNCHOSEN: ProviderClock = {
  timeZone: 'UTC',
  beginHour: 0,
  isChosen: false,
  recountedFrom: null,
  unknownTimeZone: null,
};

/** A server that stores what is chosen. */
function serveClock(first: ProviderClock): Answers {
  let stored = first;
  return createAnswers()
    .on(getBackupClock, () => ({ success: true as const, data: stored }))
    .on(editBackupClock, ({ body }) => {
      stored = { ...stored, ...body, isChosen: true, recountedFrom: '2026-03-08' };
      return { success: true as const, data: stored };
    });
}

function open(answers: Answers, backupClock: ProviderClock, path = '/admin/backup-day') {
  return openPortal({ path, user: buildUser({ roles: ['super-admin'], backupClock }), answers });
}

function browserIn(timeZone: string): void {
  vi.stubEnv('TZ', timeZone);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('proposes the zone of the browser, and explains when a day begins', async () => {
  browserIn('America/Los_Angeles');
  const answers = serveClock(UNCHOSEN);
  const { page, person, portal } = open(answers, UNCHOSEN);
  const zone = await page.findByRole('combobox', { name: /^Time zone/ });
  expect(zone).toHaveProperty('value', 'America/Los_Angeles');
  page.getByText('Days are counted in UTC until a time zone is chosen.');
  await person.selectOptions(page.getByRole('combobox', { name: /^Backup day begins at/ }), '18:00');
  page.getByText(/^Monday 18:00 to Tuesday 18:00 is Monday\./);
  await person.click(page.getByRole('button', { name: 'Save' }));
  await page.findByText('The last days are recounted; older ones follow.');
  expect(answers.asked(editBackupClock).map(({ body }) => body)).toEqual([
    { timeZone: 'America/Los_Angeles', beginHour: 18 },
  ]);
  await page.findByText('Days before 03/08/26 are still being recounted.');
  expect(portal.session.get()?.user.backupClock.beginHour).toBe(18);
});

test('says that a stored zone does not exist any more', async () => {
  const clock = { ...UNCHOSEN, isChosen: true, unknownTimeZone: 'Europe/Atlantis' };
  const { page } = open(serveClock(clock), clock);
  await page.findByText(/does not know the time zone Europe\/Atlantis/);
});

test('asks the first administrator on whatever screen whether the zone of the browser is right, once', async () => {
  browserIn('Europe/Berlin');
  const answers = serveClock(UNCHOSEN);
  const { page, person } = open(answers, UNCHOSEN, '/admin/forbidden');
  await person.click(await page.findByRole('button', { name: 'Use Europe/Berlin' }));
  await waitFor(() => expect(page.queryByRole('button', { name: 'Keep UTC' })).toBeNull());
  expect(answers.asked(editBackupClock)[0]?.body).toEqual({ timeZone: 'Europe/Berlin', beginHour: 0 });
});

test('asks no user who cannot choose', async () => {
  browserIn('Europe/Berlin');
  const answers = serveClock(UNCHOSEN);
  const { page } = openPortal({ path: '/monitoring/forbidden', user: buildUser({ backupClock: UNCHOSEN }), answers });
  await waitFor(() => expect(answers.asked(getBackupClock)).toHaveLength(1));
  expect(page.queryByRole('button', { name: 'Keep UTC' })).toBeNull();
});

test('takes over what a colleague chooses while the page is open', async () => {
  const answers = serveClock({ ...UNCHOSEN, isChosen: true });
  const { portal } = open(answers, { ...UNCHOSEN, isChosen: true }, '/admin/forbidden');
  await waitFor(() => expect(answers.asked(getBackupClock)).toHaveLength(1));
  answers.on(getBackupClock, { success: true, data: { ...UNCHOSEN, isChosen: true, timeZone: 'Asia/Kathmandu' } });
  act(() => answers.emit('backup-clock.changed'));
  await waitFor(() => expect(portal.session.get()?.user.backupClock.timeZone).toBe('Asia/Kathmandu'));
});
