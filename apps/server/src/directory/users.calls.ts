import {
  changeUserPassword,
  createUser,
  deleteUser,
  editUser,
  type Invitation,
  inviteUser,
  type ListedUser,
  removeUserAccount,
} from '@keepwatch/contract/directory/users';
import { change } from '../audit/change.ts';
import { findBrandById } from '../branding/brands.ts';
import { portalAddress } from '../branding/portal-address.ts';
import { connectionsOf } from '../connections/connections.ts';
import type { Connection } from '../foundation/database.ts';
import { conflict, invalid, notFound } from '../foundation/errors.ts';
import type { ChangingContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { hashOfPassword } from '../foundation/secrets.ts';
import { endLinks, linkAddress, makeLink } from './account-links.ts';
import { requirePasswordHere } from './outside-users.ts';
import { sendAccountMailJob } from './send-account-mail.ts';
import { addUser, changeUser, findListedUser, lockOtherUser, removeUser, setPasswordOf } from './user-changes.ts';

/** The calls that change users. */
export function userCalls({ publicUrl }: { publicUrl: string }): Route[] {
  return [
    answer(createUser, async (context, { body }) => {
      const { user, invitation } = await change(context, { kind: 'user' }, async (connection) => {
        const user = await addUser(connection, context.actor, body);
        const invitation = await invite(connection, context, user._id, publicUrl);
        return { result: { user, invitation }, id: user._id, after: shownOf(user) };
      });
      return { data: user, invitation };
    }),

    answer(inviteUser, async (context, { params: { id } }) => {
      const data = await change(context, { kind: 'user', id }, async (connection) => {
        const user = await lockOtherUser(connection, context.actor, id);
        if (user === null) return null;
        if (user.state === 'disabled') throw conflict(`${user.name} is disabled. Enable the user first.`);
        await requirePasswordHere(connection, { providerId: context.scope.providerId, id });
        await endLinks(connection, { providerId: context.scope.providerId, id });
        return { result: await invite(connection, context, id, publicUrl) };
      });
      return { data };
    }),

    answer(editUser, async (context, { params: { id }, body }) => {
      const data = await change(context, { kind: 'user', id }, async (connection) => {
        const changed = await changeUser(connection, context.actor, id, body, context.now());
        if (changed === null) return null;
        return { result: changed.after, before: shownOf(changed.before), after: shownOf(changed.after) };
      });
      return { data };
    }),

    answer(deleteUser, (context, { params: { id }, body }) => deleteFor(context, id, body)),

    answer(removeUserAccount, (context, { params: { id }, body }) => deleteFor(context, id, body)),

    answer(changeUserPassword, async (context, { params: { id }, body }) => {
      const passwordHash = await hashOfPassword(body.password);
      await change(context, { kind: 'user', id }, async (connection) => {
        const user = await setPasswordOf(connection, context.actor, id, passwordHash);
        return user === null ? null : { result: null };
      });
      return {};
    }),
  ];
}

async function deleteFor(
  context: ChangingContext,
  id: string,
  body: { reason: string; userRequestedId?: string | undefined },
) {
  await change(context, { kind: 'user', id }, async (connection) => {
    await requireKnown(connection, context, body.userRequestedId);
    const removed = await removeUser(connection, context.actor, id, context.now());
    return removed === null ? null : { result: null, before: shownOf(removed), after: body };
  });
  return {};
}

/** @throws Refusal 422 for a user who asked for something and is not within reach */
async function requireKnown(connection: Connection, { scope }: ChangingContext, id: string | undefined): Promise<void> {
  if (id === undefined || (await findListedUser(connection, scope, id)) !== null) return;
  throw invalid([{ path: 'body.userRequestedId', message: 'names a user who was not found' }]);
}

/** Makes an invitation, and has it mailed where a mail server is connected. */
async function invite(
  connection: Connection,
  { scope: { providerId }, queue, now }: ChangingContext,
  userId: string,
  publicUrl: string,
): Promise<Invitation> {
  const brand = await findBrandById(connection, providerId);
  if (brand === null) throw notFound('brand');
  const made = await makeLink(connection, { providerId, id: userId }, 'invitation', now());
  const isMailed = (await connectionsOf(connection, providerId, 'mail')).length > 0;
  if (isMailed) await queue.send(connection, sendAccountMailJob, { providerId, purpose: 'invitation', login: userId });
  const link = linkAddress(portalAddress(publicUrl, brand), made);
  return { link, expiresAt: made.expiresAt.toISOString(), isMailed };
}

/** What the audit log has of a user. */
function shownOf({ username, name, email, acl, companies, state }: ListedUser) {
  const names = companies?.map((company) => company.name) ?? null;
  return { username, name, email, roles: acl.map(({ role }) => role), companies: names, state };
}
