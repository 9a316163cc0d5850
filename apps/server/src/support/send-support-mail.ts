import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Brand, findBrandById } from '../branding/brands.ts';
import { portalAddress } from '../branding/portal-address.ts';
import { type MailServices, sendMail } from '../connections/send-mail.ts';
import { COMPANIES } from '../directory/companies.ts';
import { SEES_SOME_COMPANIES, USER_COMPANY_IDS, USERS } from '../directory/users.ts';
import { type Connection, row } from '../foundation/database.ts';
import { declareJob } from '../foundation/jobs.ts';
import { copyMailOf, supportMailOf } from './support-mail.ts';
import type { StoredRequest } from './support-requests.ts';

const COMPANIES_NAMED = 20;

/** Mails a stored request to one of the two who get it. */
export const sendSupportMailJob = declareJob({
  name: 'support.send-mail',
  payload: z.object({ providerId: z.number(), id: z.string(), to: z.enum(['support', 'sender']) }),
  retry: { times: 8, firstPauseSeconds: 30, longestPauseSeconds: 3_600 },
  concurrency: 2,
  timeLimitSeconds: 120,
  key: ({ providerId, id, to }) => `${providerId} ${id} ${to}`,
});

interface MailOrder {
  providerId: number;
  id: string;
  to: 'support' | 'sender';
}

/** Does what the job says. @throws what the mail server refused, so that it is tried again */
export async function sendSupportMail(services: MailServices, order: MailOrder, signal: AbortSignal): Promise<void> {
  const [brand, request] = await Promise.all([
    findBrandById(services.database, order.providerId),
    findRequest(services.database, order),
  ]);
  const support = brand?.branding.supportEmail ?? null;
  if (brand === null || request === null || support === null) return;
  const origin = { brand: brandName(brand), provider: brand.name, portal: portalAddress(services.publicUrl, brand) };
  const { email } = request;
  if (order.to === 'sender' && email === '') return;
  const id = `support-${order.id}-${order.to}`;
  const mail =
    order.to === 'support'
      ? { id, to: support, ...(email !== '' && { replyTo: email }), ...supportMailOf(request, origin) }
      : { id, to: email, replyTo: support, ...copyMailOf(request, origin) };
  await sendMail(services, order.providerId, mail, signal);
}

function brandName({ name, branding }: Brand): string {
  return branding.title ?? name;
}

function findRequest(connection: Connection, { providerId, id }: MailOrder): Promise<StoredRequest | null> {
  return row<StoredRequest>(
    connection,
    sql`select r.subject, r.message, r.page, r.browser, r.created_at as "createdAt", u.username, u.name, u.email,
          case when ${SEES_SOME_COMPANIES} then array(select c.name from ${COMPANIES} c
            where c.provider_id = u.provider_id and c.id = any(${USER_COMPANY_IDS}) order by lower(c.name) limit ${COMPANIES_NAMED}) end as companies
        from support_requests r join ${USERS} u on u.provider_id = r.provider_id and u.id = r.user_id
        where r.provider_id = ${providerId} and r.id = ${id}`,
  );
}
