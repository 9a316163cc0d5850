import { makeChatToken, requestSupport } from '@keepwatch/contract/support/support';
import { change } from '../audit/change.ts';
import { type Brand, findBrandById } from '../branding/brands.ts';
import { findChatSecret } from '../branding/chat-secrets.ts';
import { portalAddress } from '../branding/portal-address.ts';
import { connectionsOf } from '../connections/connections.ts';
import { findUserById, type StoredUser } from '../directory/users.ts';
import { notFound, Refusal } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import { chatTokenOf } from './chat-token.ts';
import { sendSupportMailJob } from './send-support-mail.ts';
import { storeRequest } from './support-requests.ts';

interface SupportParts {
  secrets: SecretBox;
  publicUrl: string;
}

/** The calls with which users reach the support of their brand. */
export function supportCalls({ secrets, publicUrl }: SupportParts): Route[] {
  return [
    answer(requestSupport, async (context, { body }) => {
      const { providerId } = context.scope;
      const sentTo = await requireSupport(context);
      const { email } = await ownUser(context);
      const copyTo = email === '' ? null : email;
      await change(context, { kind: 'support-request' }, async (connection) => {
        const id = await storeRequest(connection, context, body);
        await context.queue.send(connection, sendSupportMailJob, { providerId, id, to: 'support' });
        if (copyTo !== null) await context.queue.send(connection, sendSupportMailJob, { providerId, id, to: 'sender' });
        return { result: null, id, after: { subject: body.subject, page: body.page } };
      });
      return { data: { sentTo, copyTo } };
    }),

    answer(makeChatToken, async (context, { body }) => {
      const user = await ownUser(context);
      requireSelf(user, body);
      const { brand, url, secret } = await requireChat(context, secrets);
      const { id: userId, name, email, providerId: serviceProviderId } = user;
      const issuer = new URL(portalAddress(publicUrl, brand)).origin;
      const identity = { issuer, audience: new URL(url).origin, userId, name, email, serviceProviderId };
      return { data: chatTokenOf(identity, secret, context.now()) };
    }),
  ];
}

async function ownUser({ database, scope, actor }: SignedInContext): Promise<StoredUser> {
  const user = await findUserById(database, scope.providerId, actor.userId);
  if (user === null) throw notFound('user');
  return user;
}

/** Gives the address of the support. Throws 409 where a request would not arrive. */
async function requireSupport({ database, scope: { providerId } }: SignedInContext): Promise<string> {
  const [brand, servers] = await Promise.all([
    findBrandById(database, providerId),
    connectionsOf(database, providerId, 'mail'),
  ]);
  const address = brand?.branding.supportEmail ?? null;
  if (address === null)
    throw conflict('This portal has no support address. An administrator enters it on the page Brands.');
  if (servers.length === 0)
    throw conflict(`This portal cannot send mails: no mail server is connected. Write to ${address} instead.`);
  return address;
}

/** Throws 403 for a body that names another person: a token is about its own user alone. */
function requireSelf(user: StoredUser, given: { name: string; email: string; serviceProviderId: number }): void {
  const { name, email, providerId } = user;
  if (given.name === name && given.email === email && given.serviceProviderId === providerId) return;
  throw new Refusal(
    403,
    'FORBIDDEN',
    'The chat recognises the signed-in user alone. If you changed your profile elsewhere, reload the page and try again.',
  );
}

/** Gives the chat of the brand. Throws 409 where it has none, or cannot check who its users are. */
async function requireChat(
  { database, scope: { providerId } }: SignedInContext,
  secrets: SecretBox,
): Promise<{ brand: Brand; url: string; secret: string }> {
  const brand = await findBrandById(database, providerId);
  const section = brand?.branding.features?.supportSection;
  const url = section?.enabled === true && section.links.live.enabled ? section.links.live.url : undefined;
  if (brand === null || url === undefined) throw conflict('This portal has no live chat.');
  const secret = await findChatSecret(database, secrets, providerId);
  if (secret === null)
    throw conflict('The live chat is not set up yet. An administrator enters its secret on the page Brands.');
  return { brand, url, secret };
}

function conflict(message: string): Refusal {
  return new Refusal(409, 'CONFLICT', message);
}
