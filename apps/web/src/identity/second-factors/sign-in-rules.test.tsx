import { listIdentityProviders } from '@keepwatch/contract/identity/identity-providers';
import { editSignInRules, getSignInRules } from '@keepwatch/contract/identity/sign-in-rules';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

test('requires a second factor of all users of the provider', async () => {
  const answers = createAnswers()
    .on(listIdentityProviders, {
      success: true,
      data: [],
      redirectAddress: 'https://portal.test/login/identity-provider',
      signedOutAddress: 'https://portal.test/login',
    })
    .on(getSignInRules, { success: true, data: { requiresSecondFactor: false } })
    .on(editSignInRules, ({ body }) => ({ success: true as const, data: body }));
  const { page, person } = openPortal({ path: '/admin/sign-in', user: buildUser({ roles: ['super-admin'] }), answers });
  await person.click(await page.findByRole('checkbox', { name: /^Require a second factor/ }));
  await person.click(page.getByRole('button', { name: 'Save' }));
  await page.findByText('The rules of the sign-in have been changed.');
  expect(answers.asked(editSignInRules).map(({ body }) => body)).toEqual([{ requiresSecondFactor: true }]);
});

test('is not open to who is limited to companies', async () => {
  const user = buildUser({ roles: ['super-admin'], companyIds: ['00000000-0000-4000-8000-000000000001'] });
  const { page, address } = openPortal({ path: '/admin/sign-in', user });
  await page.findByText(/You don't have access|Nothing here yet/);
  await waitFor(() => expect(address()).toContain('/admin/forbidden'));
});
