import { signInWithCode } from '@keepwatch/contract/identity/sessions';
import { record } from '../../audit/audit.ts';
import { type StoredUser, whoOf } from '../../directory/users.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import { useCode } from './authenticators.ts';
import { signInWithSecondFactor } from './prove-second-factor.ts';
import { useRecoveryCode } from './recovery-codes.ts';

/** The calls that end a sign-in whose password was right. */
export function secondSignInCalls({ secrets }: { secrets: SecretBox }): Route[] {
  return [
    answer(signInWithCode, (context, { body }) =>
      signInWithSecondFactor(context, body, {
        prove: (asked) => isCodeOf(context, secrets, asked, body.code),
        wrong: 'The code is wrong, or it was used already.',
      }),
    ),
  ];
}

/** Whether this is a code of the user's authenticator app, or a recovery code. */
function isCodeOf(context: PublicContext, secrets: SecretBox, user: StoredUser, code: string): Promise<boolean> {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return redeemRecoveryCode(context, user, code);
  return useCode(context.database, secrets, user, digits, context.now());
}

async function redeemRecoveryCode(context: PublicContext, user: StoredUser, code: string): Promise<boolean> {
  if (!(await useRecoveryCode(context.database, user, code, context.now()))) return false;
  await record(context.database, context, { action: 'session.recovery-code', who: whoOf(user) });
  return true;
}
