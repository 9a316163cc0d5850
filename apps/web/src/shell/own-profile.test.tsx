import { getSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { getProfile } from '@keepwatch/contract/identity/sessions';
import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/monitoring/forbidden';

test('shows what the account is by now: a role that was given since the sign-in', async () => {
  const data = buildUser({ roles: ['operator', 'admin'] });
  const answers = createAnswers().on(getProfile, { success: true, data });
  const { page } = openPortal({ path, user: buildUser({ roles: ['operator'] }), answers });
  await page.findByRole('link', { name: 'Users' });
});

test('follows a second factor that was added in another browser', async () => {
  const stored = { user: buildUser({ secondFactorNeeded: true }) };
  const answers = createAnswers()
    .on(getProfile, () => ({ success: true as const, data: stored.user }))
    .on(getSecondFactors, {
      success: true,
      data: { authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 },
    });
  const { page } = openPortal({ path, user: stored.user, answers });
  await page.findByText(/Your provider requires a second factor/);
  await waitFor(() => expect(answers.asked(getProfile)).toHaveLength(1));
  stored.user = { ...stored.user, secondFactorNeeded: false };
  answers.emit('profile.changed');
  await page.findByRole('button', { name: 'Go on to the portal' }, { timeout: 3_000 });
});

test('keeps looks and preferences that were chosen in this browser', async () => {
  const user = buildUser();
  const theme = { ...user.theme, sidebarMini: true };
  const answers = createAnswers().on(getProfile, { success: true, data: { ...user, name: 'Olga King', theme } });
  const { page, portal } = openPortal({ path, user, answers });
  await page.findByRole('button', { name: 'Account of Olga King' });
  expect(portal.session.get()?.user.theme).toEqual(user.theme);
});

test('keeps what was changed while the account was read', async () => {
  const user = buildUser();
  const [earlier, later] = [
    { ...user, name: 'An earlier name' },
    { ...user, name: 'A later name' },
  ];
  const { promise, resolve } = Promise.withResolvers<void>();
  const answers = createAnswers().on(getProfile, async () => {
    if (answers.asked(getProfile).length > 1) return { success: true as const, data: later };
    await promise;
    return { success: true as const, data: earlier };
  });
  const { portal } = openPortal({ path, user, answers });
  await waitFor(() => expect(answers.asked(getProfile)).toHaveLength(1));
  act(() => portal.session.updateUser(later));
  const shown: (string | undefined)[] = [];
  portal.session.subscribe(() => shown.push(portal.session.get()?.user.name));
  resolve();
  answers.emit('profile.changed');
  await waitFor(() => expect(answers.asked(getProfile)).toHaveLength(2), { timeout: 3_000 });
  expect(shown).not.toContain('An earlier name');
});
