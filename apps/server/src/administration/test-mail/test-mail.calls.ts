import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import { sendTestMail } from '@keepwatch/contract/administration/test-mail';
import type { TestOutcome } from '@keepwatch/contract/connections/connections';
import { change } from '../../audit/change.ts';
import { type Brand, findBrandById } from '../../branding/brands.ts';
import { portalAddress } from '../../branding/portal-address.ts';
import type { MailServices } from '../../connections/send-mail.ts';
import { outcomeOf } from '../../connections/test-connection.ts';
import { useConnection } from '../../connections/use-connection.ts';
import { findUserById, type StoredUser } from '../../directory/users.ts';
import { conflict, notFound } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { newId } from '../../foundation/secrets.ts';
import { wholeProvider } from '../../foundation/whole-provider.ts';

/** The call with which administrators see whether mails of the portal arrive. */
export function testMailCalls(services: MailServices): Route[] {
  return [
    answer(sendTestMail, async (context) => {
      const providerId = wholeProvider(context);
      const [user, brand] = await Promise.all([
        findUserById(context.database, providerId, context.actor.userId),
        findBrandById(context.database, providerId),
      ]);
      if (user === null || brand === null) throw notFound('user');
      if (user.email === '')
        throw conflict('Your account has no e-mail address. Enter one in your profile, and try again.');
      const data = await context.outside((gone) => send(services, user, brand, gone));
      await change(context, null, async () => ({ result: null, after: { to: user.email, ...data } }));
      return { data };
    }),
  ];
}

/** Sends it now: who asked waits for what the server says. Throws 409 where none is connected. */
async function send(services: MailServices, user: StoredUser, brand: Brand, gone: AbortSignal): Promise<TestOutcome> {
  const mail = { id: `test-${newId()}`, to: user.email, ...testMailOf(services.publicUrl, user, brand) };
  try {
    const sent = await useConnection(
      services,
      user.providerId,
      'mail',
      async (server) => ({ answer: await server.send(mail, gone) }),
      'A mail was accepted.',
    );
    if (sent === null) throw conflict('No mail server is connected. Connect one first.');
    return {
      outcome: 'works',
      message: `The mail server took the mail to ${user.email} and answered: ${sent.answer}. Look whether it arrives, also among unwanted mail.`,
    };
  } catch (error) {
    gone.throwIfAborted();
    if (error instanceof ConnectorError) return outcomeOf(error);
    throw error;
  }
}

function testMailOf(publicUrl: string, { name }: StoredUser, brand: Brand): { subject: string; text: string } {
  const title = brand.branding.title ?? brand.name;
  const lines = [
    `Hello ${name},`,
    '',
    `you asked ${title} for a test mail on the page Settings. It has arrived: mails from this portal reach you.`,
    '',
    portalAddress(publicUrl, brand),
  ];
  return { subject: `Test mail from ${title}`, text: lines.join('\n') };
}
