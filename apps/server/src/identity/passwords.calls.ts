import {
  changeOwnPassword,
  checkPasswordLink,
  requestPasswordLink,
  setPasswordByLink,
} from '@keepwatch/contract/identity/passwords';
import { record } from '../audit/audit.ts';
import type { ConnectionServices } from '../connections/connection-services.ts';
import { findLink, type OpenLink } from '../directory/account-links.ts';
import { storePasswordInstant } from '../directory/directory-users.ts';
import { requirePasswordHere } from '../directory/outside-users.ts';
import { sendAccountMailJob } from '../directory/send-account-mail.ts';
import { findUserById, lockAccount, NO_PASSWORD, type StoredUser, setOwnPassword } from '../directory/users.ts';
import { transaction } from '../foundation/database.ts';
import { invalid, notFound } from '../foundation/errors.ts';
import { requireOwn } from '../foundation/http/access.ts';
import type { Audited, PublicContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { hashOfPassword } from '../foundation/secrets.ts';
import { changeOwn } from './change-own.ts';
import { providerOf } from './provider-of.ts';
import { requireCurrentPassword } from './require-current-password.ts';
import { endSessionsOf, openSession } from './sessions.ts';
import { countLinkRequest } from './sign-in-attempts.ts';
import { aloneInDirectory } from './user-directory/alone-in-directory.ts';
import { resetInDirectory } from './user-directory/directory-passwords.ts';

/** The calls with which users set their own passwords. */
export function passwordCalls(services: ConnectionServices): Route[] {
  return [
    answer(changeOwnPassword, async (context, { params: { id }, body }) => {
      requireOwn(context.actor, id);
      const key = { providerId: context.scope.providerId, id: context.actor.userId };
      await requirePasswordHere(context.database, key);
      await requireCurrentPassword(context, services, body.password);
      // As they are hashed: one letter can be written in two ways.
      if (body.newPassword.normalize('NFC') === body.password.normalize('NFC'))
        throw invalid([{ path: 'body.newPassword', message: 'must differ from the current password' }]);
      const passwordHash = await hashOfPassword(body.newPassword);
      const token = await changeOwn(context, { kind: 'user', id: key.id }, async (connection) => {
        await setOwnPassword(connection, key, passwordHash);
        const { actor, address, userAgent } = context;
        // It goes on as the session that it follows.
        const following = { userAgent, isToEnrol: actor.mustEnrol };
        return { result: await openSession(connection, key, context.now(), address, following) };
      });
      return { data: { token } };
    }),

    answer(requestPasswordLink, async (context, { body: { login } }) => {
      const { database, queue, address, now } = context;
      const providerId = await providerOf(context);
      await countLinkRequest(database, { providerId, login, address }, now());
      await queue.send(database, sendAccountMailJob, { providerId, purpose: 'password', login });
      return {};
    }),

    answer(checkPasswordLink, async (context, { query: { hash } }) => {
      const link = await findLink(context.database, await providerOf(context), hash, context.now());
      return { data: { isValid: link !== null, isInvitation: link?.isInvitation === true } };
    }),

    answer(setPasswordByLink, async (context, { body: { hash, password } }) => {
      const given = { providerId: await providerOf(context), hash };
      const { id } = await requireLink(context, given);
      const user = await findUserById(context.database, given.providerId, id);
      if (user === null || user.directoryAccount === null) {
        await spendLink(context, given, user, { passwordHash: await hashOfPassword(password) });
        return {};
      }
      await aloneInDirectory(context, user, async () => {
        await requireLink(context, given);
        // Before the link is spent: a password that the directory refuses can be followed by a better one.
        const { passwordSetAt } = await resetInDirectory(context, services, user, { password, mustChange: false });
        await spendLink(context, given, user, { inDirectory: passwordSetAt });
      });
      return {};
    }),
  ];
}

interface GivenLink {
  providerId: number;
  hash: string;
}

async function requireLink({ database, now }: PublicContext, { providerId, hash }: GivenLink): Promise<OpenLink> {
  const link = await findLink(database, providerId, hash, now());
  if (link === null) throw notFound('link');
  return link;
}

/** Sets the password of the link's user. Of two that come at once, one does. */
async function spendLink(
  context: PublicContext & Audited,
  { providerId, hash }: GivenLink,
  user: StoredUser | null,
  set: { passwordHash: string } | { inDirectory: Date },
): Promise<void> {
  await transaction(context.database, async (connection) => {
    // The account before its links, as by all that ends both.
    if (user !== null) await lockAccount(connection, user);
    const link = await findLink(connection, providerId, hash, context.now(), 'for update');
    if (link === null) throw notFound('link');
    await setOwnPassword(connection, link, 'inDirectory' in set ? NO_PASSWORD : set.passwordHash);
    if ('inDirectory' in set) await storePasswordInstant(connection, link, set.inDirectory);
    // Nothing was known of an account's password before: its sessions do not end with that.
    await endSessionsOf(connection, link);
    const who = { providerId, userId: link.id, username: link.username, companyIds: user?.companyIds ?? null };
    await record(connection, context, { action: context.audit, target: { kind: 'user', id: link.id }, who });
  });
}
