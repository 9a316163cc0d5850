import { editSignInRules, getSignInRules } from '@keepwatch/contract/identity/sign-in-rules';
import { change } from '../../audit/change.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { wholeProvider } from '../../foundation/whole-provider.ts';
import { requireSecondFactor, requiresSecondFactor } from './sign-in-rules.ts';

export const signInRuleCalls: Route[] = [
  answer(getSignInRules, async (context) => {
    const providerId = wholeProvider(context);
    return { data: { requiresSecondFactor: await requiresSecondFactor(context.database, providerId) } };
  }),

  answer(editSignInRules, async (context, { body }) => {
    const providerId = wholeProvider(context);
    await change(context, null, async (connection) => {
      const before = { requiresSecondFactor: await requiresSecondFactor(connection, providerId) };
      if (before.requiresSecondFactor === body.requiresSecondFactor) return { result: null, isUnchanged: true };
      await requireSecondFactor(connection, providerId, body.requiresSecondFactor);
      return { result: null, before, after: body };
    });
    return { data: body };
  }),
];
