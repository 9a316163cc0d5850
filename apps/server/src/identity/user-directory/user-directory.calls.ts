import type { AccountPassword } from '@keepwatch/connectors/ports/user-directory';
import { checkSecretAnswers } from '@keepwatch/contract/identity/secret-questions';
import {
  changeExpiredPassword,
  changeOwnDirectoryPassword,
  changeUserDirectoryPassword,
  resetDirectoryPassword,
  signInByDirectory,
  unlockAccount,
} from '@keepwatch/contract/identity/user-directory';
import { record } from '../../audit/audit.ts';
import { change } from '../../audit/change.ts';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { endLinks } from '../../directory/account-links.ts';
import { storePasswordInstant } from '../../directory/directory-users.ts';
import { lockOtherUser } from '../../directory/user-changes.ts';
import { findUserByAccount, findUserById, lockAccount, type StoredUser, whoOf } from '../../directory/users.ts';
import { type Connection, transaction } from '../../foundation/database.ts';
import { conflict, notFound, Refusal } from '../../foundation/errors.ts';
import { requireOwn } from '../../foundation/http/access.ts';
import type { Audited, PublicContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { changeOwn } from '../change-own.ts';
import { provePassword } from '../prove-password.ts';
import { providerOf } from '../provider-of.ts';
import { recordingRefusals } from '../recording-refusals.ts';
import { spendChallenge, userOfChallenge } from '../second-factors/challenges.ts';
import { goOn } from '../second-factors/go-on.ts';
import { endSessionsOf, openSession } from '../sessions.ts';
import { credentialsOf } from '../sign-in.ts';
import { aloneInDirectory } from './alone-in-directory.ts';
import { changeBeforeSignIn, changeInDirectory, resetInDirectory, unlockInDirectory } from './directory-passwords.ts';

type Services = ConnectionServices & { publicUrl: string };

/** The calls about accounts of a directory and their passwords. */
export function userDirectoryCalls(services: Services): Route[] {
  return [
    answer(signInByDirectory, async (context, { body }) => {
      const user = await provePassword(context, services, { directory: 'ad', ...body });
      return goOn(context, user, { services, hasSecondFactor: false });
    }),

    answer(changeExpiredPassword, async (context, { body: { username, password, newPassword } }) => {
      const providerId = await providerOf(context);
      const given = credentialsOf(context, { providerId, username, password });
      const account = await recordingRefusals(
        context,
        given,
        changeBeforeSignIn(context, services, given, newPassword),
      );
      await transaction(context.database, async (connection) => {
        // Not by the name that was typed: an account has two, and a user of the portal's own may have one of them.
        const user = await findUserByAccount(connection, providerId, account.id);
        if (user !== null) await endAccess(connection, user, account);
        const who = user === null ? { providerId, userId: null, username } : whoOf(user);
        const target = user === null ? {} : { target: { kind: 'user', id: user.id } };
        await record(connection, context, { action: 'profile.change-password', who, ...target });
      });
      return {};
    }),

    answer(changeOwnDirectoryPassword, async (context, { params: { id }, body }) => {
      requireOwn(context.actor, id);
      const user = await requireDirectoryUser(context.database, context.scope.providerId, context.actor.userId);
      const token = await aloneInDirectory(context, user, async () => {
        const changed = await changeInDirectory(context, services, user, body);
        return changeOwn(context, { kind: 'user', id: user.id }, async (connection) => {
          await endAccess(connection, user, changed);
          const { actor, address, userAgent } = context;
          const following = { userAgent, isToEnrol: actor.mustEnrol };
          return { result: await openSession(connection, user, context.now(), address, following) };
        });
      });
      return { data: { token } };
    }),

    answer(unlockAccount, async (context, { body: { hash } }) => {
      await withProof(context, hash, async (user) => {
        await unlockInDirectory(context, services, user);
        await transaction(context.database, (connection) => spend(connection, context, user, hash));
      });
      return {};
    }),

    answer(resetDirectoryPassword, async (context, { body: { hash, password } }) => {
      await withProof(context, hash, async (user) => {
        const changed = await resetInDirectory(context, services, user, { password, mustChange: false });
        await transaction(context.database, async (connection) => {
          // The account before the proof, as by all that ends both.
          await lockAccount(connection, user);
          await spend(connection, context, user, hash);
          await endAccess(connection, user, changed);
        });
      });
      return {};
    }),

    answer(changeUserDirectoryPassword, async (context, { params: { id }, body: { password } }) => {
      const { database, actor, scope } = context;
      const listed = await transaction(database, (connection) => lockOtherUser(connection, actor, id));
      if (listed === null) throw notFound('user');
      const user = await requireDirectoryUser(database, scope.providerId, listed._id);
      await aloneInDirectory(context, user, async () => {
        const changed = await resetInDirectory(context, services, user, { password, mustChange: true });
        await change(context, { kind: 'user', id: user.id }, async (connection) => {
          await endAccess(connection, user, changed);
          return { result: null };
        });
      });
      return {};
    }),
  ];
}

/** Throws 409 for a user of the portal's own. */
async function requireDirectoryUser(connection: Connection, providerId: number, id: string): Promise<StoredUser> {
  const user = await findUserById(connection, providerId, id);
  if (user === null) throw notFound('user');
  if (user.directoryAccount === null) throw conflict(`${user.name} does not sign in with the directory.`);
  return user;
}

/** Ends what the password before had opened, and keeps a sign-in with it that is not over yet from opening more: that one finds another instant. */
async function endAccess(
  connection: Connection,
  user: StoredUser,
  { passwordSetAt }: Pick<AccountPassword, 'passwordSetAt'>,
): Promise<void> {
  await storePasswordInstant(connection, user, passwordSetAt);
  await endSessionsOf(connection, user);
  await endLinks(connection, user);
}

/** Does what a proof allows to the account of its user; the proof is looked at again once nothing else is being done to the account. */
async function withProof(
  context: PublicContext,
  hash: string,
  work: (user: StoredUser) => Promise<void>,
): Promise<void> {
  const user = await requireProved(context, hash);
  await aloneInDirectory(context, user, async () => work(await requireProved(context, hash)));
}

/** The user who has answered the secret questions. Throws 401 where that was too long ago. */
async function requireProved(context: PublicContext, hash: string): Promise<StoredUser> {
  const providerId = await providerOf(context);
  const found = await userOfChallenge(context.database, providerId, hash, 'secret-questions', context.now());
  const user = found === null ? null : await findUserById(context.database, providerId, found.id);
  if (user === null) throw answerAgain();
  return user;
}

/**
 * Spends the proof once the directory has done what was asked: a password that it refused can be followed by a better one. Of two that come
 * at once, the second is refused.
 */
async function spend(
  connection: Connection,
  context: PublicContext & Audited,
  user: StoredUser,
  hash: string,
): Promise<void> {
  const isSpent = await spendChallenge(connection, user.providerId, hash, 'secret-questions', context.now());
  if (!isSpent) throw answerAgain();
  const target = { kind: 'user', id: user.id };
  await record(connection, context, { action: context.audit, target, who: whoOf(user) });
}

function answerAgain(): Refusal {
  return new Refusal(401, 'SIGN_IN_AGAIN', `${checkSecretAnswers.failure}. Answer the questions again.`);
}
