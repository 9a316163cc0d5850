import {
  changeOwnPassword,
  checkPasswordLink,
  requestPasswordLink,
  setPasswordByLink,
} from '@keepwatch/contract/identity/passwords';
import { record } from '../audit/audit.ts';
import { change } from '../audit/change.ts';
import type { ConnectionServices } from '../connections/connection-services.ts';
import { findLink } from '../directory/account-links.ts';
import { requirePasswordHere } from '../directory/outside-users.ts';
import { sendAccountMailJob } from '../directory/send-account-mail.ts';
import { findUserById, NO_PASSWORD, setOwnPassword } from '../directory/users.ts';
import { transaction } from '../foundation/database.ts';
import { invalid, notFound } from '../foundation/errors.ts';
import { requireOwn } from '../foundation/http/access.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { hashOfPassword } from '../foundation/secrets.ts';
import { providerOf } from './provider-of.ts';
import { requireCurrentPassword } from './require-current-password.ts';
import { endSessionsOf, openSession } from './sessions.ts';
import { countLinkRequest } from './sign-in-attempts.ts';
import { resetInDirectory } from './user-directory/directory-passwords.ts';

/** The calls with which users set their own passwords. */
export function passwordCalls(services: ConnectionServices): Route[] {
  return [
    answer(changeOwnPassword, async (context, { params: { id }, body }) => {
      requireOwn(context.actor, id);
      const key = { providerId: context.scope.providerId, id: context.actor.userId };
      await requirePasswordHere(context.database, key);
      await requireCurrentPassword(context, services, body.password);
      if (body.newPassword === body.password)
        throw invalid([{ path: 'body.newPassword', message: 'must differ from the current password' }]);
      const passwordHash = await hashOfPassword(body.newPassword);
      const token = await change(context, { kind: 'user', id: key.id }, async (connection) => {
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
      const { database, now } = context;
      const providerId = await providerOf(context);
      const opened = await findLink(database, providerId, hash, now());
      if (opened === null) throw notFound('link');
      const user = await findUserById(database, providerId, opened.id);
      const isHere = user === null || user.directoryAccount === null;
      const passwordHash = isHere ? await hashOfPassword(password) : NO_PASSWORD;
      // Before the link is spent: a password that the directory refuses can be followed by a better one.
      if (!isHere) await resetInDirectory(context, services, user, { password, mustChange: false });
      await transaction(database, async (connection) => {
        // Found again under its lock: of two that come at once, one sets the password.
        const link = await findLink(connection, providerId, hash, now(), 'for update');
        if (link === null) throw notFound('link');
        await setOwnPassword(connection, link, passwordHash);
        if (!isHere) await endSessionsOf(connection, link);
        const who = { providerId, userId: link.id, username: link.username, companyIds: user?.companyIds ?? null };
        await record(connection, context, { action: context.audit, target: { kind: 'user', id: link.id }, who });
      });
      return {};
    }),
  ];
}
