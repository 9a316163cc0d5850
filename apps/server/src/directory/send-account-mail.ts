import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Brand, findBrandById } from '../branding/brands.ts';
import { portalAddress } from '../branding/portal-address.ts';
import { type MailServices, sendMail } from '../connections/send-mail.ts';
import { rows } from '../foundation/database.ts';
import { declareJob } from '../foundation/jobs.ts';
import { newId } from '../foundation/secrets.ts';
import { endLink, type LinkKind, linkAddress } from './account-links.ts';
import { accountMailOf } from './account-mail.ts';
import { ACCOUNTS_MAX, makeMailedLink } from './mailed-links.ts';
import { IS_LIVING, SIGNS_IN_ELSEWHERE } from './users.ts';

/**
 * Mails users a link to set a password. The link is made when it is sent, so that its token is in no queue, and whether there is such a
 * user is looked up here, so that the reply to the one who asked takes as long either way.
 */
export const sendAccountMailJob = declareJob({
  name: 'directory.send-account-mail',
  payload: z.object({
    providerId: z.number(),
    purpose: z.enum(['invitation', 'password']),
    /** The id of who is invited; what was typed for a password, a user name or an e-mail address. */
    login: z.string(),
  }),
  retry: { times: 5, firstPauseSeconds: 30, longestPauseSeconds: 600 },
  concurrency: 2,
  timeLimitSeconds: 120,
  key: ({ providerId, purpose, login }) => `${providerId} ${purpose} ${login.toLowerCase()}`,
});

interface AccountMailOrder {
  providerId: number;
  purpose: LinkKind;
  login: string;
}

interface Recipient {
  providerId: number;
  id: string;
  username: string;
  name: string;
  email: string;
}

/** Does what the job says. @throws what the mail server refused, so that it is tried again */
export async function sendAccountMail(
  services: MailServices,
  { providerId, purpose, login }: AccountMailOrder,
  signal: AbortSignal,
): Promise<void> {
  const brand = await findBrandById(services.database, providerId);
  if (brand === null) return;
  const isMeant =
    purpose === 'invitation'
      ? sql`u.id::text = ${login}`
      : sql`(lower(u.username) = lower(${login}) or lower(u.email) = lower(${login}))`;
  const found = await rows<Recipient>(
    services.database,
    sql`select u.provider_id as "providerId", u.id, u.username, u.name, u.email from users u
        where u.provider_id = ${providerId} and ${IS_LIVING} and u.email <> '' and u.password_hash <> ${SIGNS_IN_ELSEWHERE}
          and ${isMeant}
        order by u.id limit ${ACCOUNTS_MAX}`,
  );
  for (const recipient of found) await mailLink(services, brand, purpose, recipient, signal);
}

async function mailLink(
  services: MailServices,
  brand: Brand,
  purpose: LinkKind,
  recipient: Recipient,
  signal: AbortSignal,
): Promise<void> {
  const { providerId, name, username, email } = recipient;
  const made = await makeMailedLink(services.database, recipient, purpose, services.now());
  if (made === null) return;
  const link = linkAddress(portalAddress(services.publicUrl, brand), made);
  const mail = accountMailOf({ purpose, brand: brand.name, name, username, link });
  try {
    await sendMail(services, providerId, { id: `account-${newId()}`, to: email, ...mail }, signal);
  } catch (error) {
    // It is tried again with another link: this one must not count as one that was mailed.
    await endLink(services.database, providerId, made);
    throw error;
  }
}
