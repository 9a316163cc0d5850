import {
  type AccountKey,
  type AccountPassword,
  DirectoryRefusal,
  type UserDirectory,
} from '@keepwatch/connectors/ports/user-directory';
import { changeOwnPassword } from '@keepwatch/contract/identity/passwords';
import { resetDirectoryPassword, unlockAccount } from '@keepwatch/contract/identity/user-directory';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import type { StoredUser } from '../../directory/users.ts';
import { conflict } from '../../foundation/errors.ts';
import type { PublicContext, SignedInContext } from '../../foundation/http/context.ts';
import { asCurrentPassword } from '../as-current-password.ts';
import { type Credentials, countedSignIn, credentialsOf } from '../sign-in.ts';
import { askDirectory } from './ask-directory.ts';
import { refusalOf } from './directory-refusals.ts';
import { notSooner } from './not-sooner.ts';

/** Changes the password of an account whose user cannot sign in before that, and may be no user of the portal yet. Refusals are those of a sign-in. Gives whose it was. */
export function changeBeforeSignIn(
  context: PublicContext,
  services: ConnectionServices,
  given: Credentials,
  newPassword: string,
): Promise<AccountPassword> {
  return changeCounted(context, services, given, { username: given.username }, newPassword);
}

/** Changes the password of the user who asks. A wrong current one counts as at the sign-in. */
export async function changeInDirectory(
  context: SignedInContext,
  services: ConnectionServices,
  user: StoredUser,
  { password, newPassword }: { password: string; newPassword: string },
): Promise<AccountPassword> {
  const { providerId, username } = user;
  const given = credentialsOf(context, { providerId, username, password });
  return asCurrentPassword(context, changeCounted(context, services, given, accountOf(user), newPassword));
}

function changeCounted(
  context: PublicContext,
  services: ConnectionServices,
  given: Credentials,
  whose: Parameters<UserDirectory['changePassword']>[0],
  newPassword: string,
): Promise<AccountPassword> {
  const { providerId, password } = given;
  return countedSignIn(context.database, given, context.now(), (isAllowed) => {
    const question = {
      providerId,
      failure: changeOwnPassword.failure,
      ask: (directory: UserDirectory, gone: AbortSignal) =>
        directory.changePassword(whose, password, newPassword, isAllowed, gone),
    };
    return notSooner(askDirectory(context, services, question));
  });
}

/** Sets the password of a user who has proved by something else who that is, or for whom an administrator does. It unlocks the account. */
export function resetInDirectory(
  context: PublicContext,
  services: ConnectionServices,
  user: StoredUser,
  { password, mustChange }: { password: string; mustChange: boolean },
): Promise<AccountPassword> {
  return onAccount(context, services, user, resetDirectoryPassword.failure, (directory, gone) =>
    directory.resetPassword(accountOf(user), password, { mustChange }, gone),
  );
}

export function unlockInDirectory(
  context: PublicContext,
  services: ConnectionServices,
  user: StoredUser,
): Promise<void> {
  return onAccount(context, services, user, unlockAccount.failure, (directory, gone) =>
    directory.unlock(accountOf(user), gone),
  );
}

async function onAccount<T>(
  context: PublicContext,
  services: ConnectionServices,
  { providerId }: StoredUser,
  failure: string,
  ask: (directory: UserDirectory, gone: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await askDirectory(context, services, { providerId, failure, ask });
  } catch (error) {
    const isGone = error instanceof DirectoryRefusal && error.reason === 'wrong-credentials';
    throw isGone ? conflict(failure) : refusalOf(error);
  }
}

function accountOf({ directoryAccount, name }: StoredUser): AccountKey {
  if (directoryAccount === null) throw conflict(`${name} does not sign in with the directory.`);
  return { id: directoryAccount };
}
