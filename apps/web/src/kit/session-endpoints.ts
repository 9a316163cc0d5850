import type { exitImpersonation } from '@keepwatch/contract/identity/impersonation';
import type { editProfile, signOut } from '@keepwatch/contract/identity/sessions';
import type { Endpoint } from '@keepwatch/contract/wire/client';

/** Calls that every page makes, without the schemas of their declarations. */

export const EDIT_PROFILE: Endpoint<typeof editProfile> = {
  method: 'PUT',
  path: '/profile/{id}',
  failure: 'Sorry, edit profile failed',
};

export const SIGN_OUT: Endpoint<typeof signOut> = {
  method: 'POST',
  path: '/auth/logout',
  failure: 'Signing out failed, try again later.',
};

export const EXIT_IMPERSONATION: Endpoint<typeof exitImpersonation> = {
  method: 'POST',
  path: '/auth/login-as/exit',
  failure: 'Leaving the account failed, try again later.',
};
