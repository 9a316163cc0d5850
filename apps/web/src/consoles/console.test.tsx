import { signOn } from '@keepwatch/contract/directory/console-accounts';
import { signOut } from '@keepwatch/contract/identity/sessions';
import { expect, test } from 'vitest';
import { createSessionStore } from '../kit/session.ts';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/apps/vac';
const user = buildUser({ roles: ['operator'], sso: { vac: true, vcd: false, zerto: false } });
const reply = {
  success: true as const,
  data: { connectionName: 'North', account: 'harbour\\owner', url: 'https://backup.harbour.test/', isSignedIn: false },
};

const open = (answers = createAnswers().on(signOn, reply)) => ({ ...openPortal({ path, user, answers }), answers });

test('the first click makes no call; the next one has the console confirm the account and says what it will ask', async () => {
  const { page, person, answers } = open();
  await person.click(await page.findByRole('button', { name: 'Open' }));
  await page.findByText(/is outside of this portal/);
  expect(answers.asked(signOn)).toEqual([]);
  await person.click(page.getByRole('button', { name: 'Open again' }));
  const link = await page.findByRole('link', { name: 'Go to North' });
  expect(link.getAttribute('href')).toBe('https://backup.harbour.test/');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  page.getByText(/log in there as harbour\\owner/);
  expect(answers.asked(signOn)).toMatchObject([{ params: { provider: 'vac' } }]);
});

test('the clicks of a session end with it', async () => {
  const { page, person, portal } = open();
  await person.click(await page.findByRole('button', { name: 'Open' }));
  portal.session.end();
  page.unmount();
  const again = open();
  await again.person.click(await again.page.findByRole('button', { name: 'Open' }));
  await again.page.findByText(/is outside of this portal/);
  expect([again.answers.asked(signOn), again.answers.asked(signOut)]).toEqual([[], []]);
});

test('a console that opens signed in says that its link works once', async () => {
  const { page, person } = open(createAnswers().on(signOn, { ...reply, data: { ...reply.data, isSignedIn: true } }));
  await person.click(await page.findByRole('button', { name: 'Open' }));
  await person.click(page.getByRole('button', { name: 'Open again' }));
  await page.findByText(/The link works once/);
});

test('says why a console refuses the account, and can be tried again', async () => {
  const message = 'The account is disabled in the console "North".';
  const { page, person } = open(createAnswers().refuse(signOn, 409, { code: 'CONFLICT', message }));
  await person.click(await page.findByRole('button', { name: 'Open' }));
  await person.click(page.getByRole('button', { name: 'Open again' }));
  expect((await page.findByRole('alert')).textContent).toContain(message);
  page.getByRole('button', { name: 'Open again' });
});

test('is closed to who has no account there, and to who acts as another user', async () => {
  const none = openPortal({ path: '/apps/zerto', user });
  await none.page.findByRole('heading', { name: 'You have no account in Zerto' });
  none.page.unmount();
  const session = createSessionStore(localStorage);
  session.start({ token: 'token of the administrator', user: buildUser({ roles: ['admin'] }) });
  session.impersonate({ token: 'another token', user: { ...user, id: buildId(77) } }, '/monitoring/users');
  const acting = openPortal({ path });
  await acting.page.findByRole('heading', { name: 'Only the user opens Service Provider Console' });
});
