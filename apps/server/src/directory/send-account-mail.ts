import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Brand, findBrandById } from '../branding/brands.ts';
import { portalAddress } from '../branding/portal-address.ts';
import { type MailServices, sendMail } from '../connections/send-mail.ts';
import { rows } from '../foundation/database.ts';
import { declareJob } from '../foundation/jobs.ts';
import { newId } from '../foundation/secrets.ts';
import { type LinkKind, linkAddress, makeLink } from './account-links.ts';
import { accountMailOf } from './account-mail.ts';
import { IS_LIVING, SIGNS_IN_ELSEWHERE } from './users.ts';

/** Users of one address who are mailed; more accounts than that have no address of a person. */
const ACCOUNTS_MAX = 5;

/**
 * Mails users a link to set a password. The link is made when it is sent, so that its token is in no queue, and whether there is such a
 * user is looked up here, so that the reply to the one who asked takes as long either way.
 */
export const sendAccountMailJob = declareJob({
  name: 'directory.send-account-mail',
  payload: z.object({
    providerId: z.number(),
    purpose: z.enum(['invitation', 'password']),
    /** An id, a user name or an e-mail address. */
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
  const found = await rows<Recipient>(
    services.database,
    sql`select u.provider_id as "providerId", u.id, u.username, u.name, u.email from users u
        where u.provider_id = ${providerId} and ${IS_LIVING} and u.email <> '' and u.password_hash <> ${SIGNS_IN_ELSEWHERE}
          and (u.id::text = ${login} or lower(u.username) = lower(${login}) or lower(u.email) = lower(${login}))
        order by u.id limit ${ACCOUNTS_MAX}`,
  );
  for (const recipient of found) await mailLink(services, brand, purpose, recipient, signal);
}

async function mailLink(
  services: MailServices,
  brand: Brand,
  purpose: LinkKind,
  { name, username, email, ...user }: Recipient,
  signal: AbortSignal,
): Promise<void> {
  const made = await makeLink(services.database, user, purpose, services.now());
  const link = linkAddress(portalAddress(services.publicUrl, brand), made);
  const mail = accountMailOf({ purpose, brand: brand.name, name, username, link });
  await sendMail(services, user.providerId, { id: `account-${newId()}`, to: email, ...mail }, signal);
}
