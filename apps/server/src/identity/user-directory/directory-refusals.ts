import { DirectoryRefusal, type RefusalReason } from '@keepwatch/connectors/ports/user-directory';
import type { RefusalCode } from '@keepwatch/contract/wire/refusal-codes';
import { Refusal } from '../../foundation/errors.ts';

/** That an account is locked a directory says of any password: repeated here it would show that the account exists. */
const WRONG = [401, 'WRONG_CREDENTIALS', 'Wrong user name or password, or the account is locked.'] as const;

/** What the portal says of each refusal. All but the first two are said only of a right password. */
const ANSWERS: Readonly<Record<RefusalReason, readonly [status: number, code: RefusalCode, message: string]>> = {
  'wrong-credentials': WRONG,
  locked: WRONG,
  'must-change': [401, 'PASSWORD_CHANGE_REQUIRED', 'Your password has to be changed. Choose a new one.'],
  disabled: [403, 'ACCOUNT_CLOSED', 'This account is disabled. Ask the administrator of your directory.'],
  'account-expired': [403, 'ACCOUNT_CLOSED', 'This account has ended. Ask the administrator of your directory.'],
  'not-now': [403, 'ACCOUNT_CLOSED', 'This account may not log in at this time, or from here.'],
  'password-refused': [
    401,
    'PASSWORD_REFUSED',
    'Password chosen failed to meet any or all of the requirements stated.',
  ],
};

/** What a directory refused, as the portal says it; anything else as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof DirectoryRefusal)) return error;
  const [status, code, message] = ANSWERS[error.reason];
  return new Refusal(status, code, message, { cause: error });
}
