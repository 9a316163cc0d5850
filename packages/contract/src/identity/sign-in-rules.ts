import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { itemOf } from '../wire/replies.ts';

/** What a provider asks of all its users at the sign-in. */
export const signInRules = entity('SignInRules', z.object({ requiresSecondFactor: z.boolean() }));

export const getSignInRules = declareCall({
  method: 'GET',
  path: '/sign-in-rules',
  access: 'admin.connectors',
  ...itemOf(signInRules),
  failure: 'The rules of the sign-in could not be read, try again later.',
  summary: 'What the provider asks of all its users at the sign-in.',
});

export const editSignInRules = declareCall({
  method: 'PUT',
  path: '/sign-in-rules',
  access: 'admin.connectors',
  needs: 'session',
  audit: 'sign-in-rules.edit',
  body: z.strictObject({ requiresSecondFactor: z.boolean() }),
  ...itemOf(signInRules),
  failure: 'The rules of the sign-in could not be changed, try again later.',
  summary: 'Changes what the provider asks of its users. It counts from the next sign-in of each of them.',
});
