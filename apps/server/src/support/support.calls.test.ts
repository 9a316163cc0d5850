import { createHmac } from 'node:crypto';
import { type SmtpServer, startSmtpServer } from '@keepwatch/connectors/testing/smtp-server';
import { setChatSecret } from '@keepwatch/contract/branding/brands';
import { listConnections } from '@keepwatch/contract/connections/connections';
import { makeChatToken, requestSupport } from '@keepwatch/contract/support/support';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { buildCompany } from '../testing/builders.ts';
import { connectMailServer, mailServices, plainText } from '../testing/mail-connection.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { sendSupportMail, sendSupportMailJob } from './send-support-mail.ts';
import { removeOldRequests } from './support-requests.ts';

let portal: TestPortal;
let mails: SmtpServer;
beforeAll(async () => {
  portal = await startTestPortal();
  mails = await startSmtpServer();
  await connectMailServer(portal.database, mails);
  await setBranding(1, { supportEmail: 'help@provider.test', title: 'Harbour' });
});
afterAll(async () => {
  await mails.stop();
  await portal.stop();
});
beforeEach(() => {
  mails.received.length = 0;
  portal.sent.length = 0;
  portal.clock.now = TEST_NOW;
});

const setBranding = (id: number, branding: object) =>
  execute(
    portal.database,
    sql`update providers set branding = branding || ${JSON.stringify(branding)}::jsonb where id = ${id}`,
  );

const BODY = {
  subject: 'No backup since Monday',
  message: 'It says:\nBcc: eve@example.com',
  page: '/monitoring/dashboard?a=1',
};

/** Sends what the queue was given, as the worker does. */
async function sendAll() {
  for (const { name, payload } of portal.sent)
    if (name === sendSupportMailJob.name)
      await sendSupportMail(
        mailServices(portal.database),
        sendSupportMailJob.payload.parse(payload),
        new AbortController().signal,
      );
}

describe('POST monitoring/backoffice/support', () => {
  it('200: mails the support what it needs to know, and a copy to the user', async () => {
    const company = await buildCompany(portal.database, { name: 'Acme' });
    const person = await portal.as('operator', { companyIds: [company] });
    const { data } = await person.call(requestSupport, { body: BODY });
    const own = `${person.username}@example.test`;
    expect(data).toEqual({ sentTo: 'help@provider.test', copyTo: own });
    await sendAll();
    expect(mails.received.map(({ to }) => to)).toEqual(['help@provider.test', own]);
    const [request, copy] = mails.received.map(plainText);
    expect(request).toContain(`Reply-To: ${own}`);
    expect(request).toContain('Subject: [Harbour] No backup since Monday');
    for (const fact of [
      'It says:',
      `user name ${person.username}`,
      'Company: Acme',
      'Page: https://portal.test:8443/monitoring/dashboard?a=1',
      'Version: 2.2.14',
      'Browser: node',
    ])
      expect(request).toContain(fact);
    expect(copy).toContain('This is a copy of what you wrote to the support of Harbour.');
    expect(copy).toContain('Reply-To: help@provider.test');
    expect(copy).toContain('It says:');
  });

  it('200: mails the support alone for a user without an address, and the mail server stays as it is: it works', async () => {
    const person = await portal.as('operator');
    await execute(portal.database, sql`update users set email = '' where id = ${person.userId}`);
    const { data } = await person.call(requestSupport, { body: BODY });
    expect(data).toEqual({ sentTo: 'help@provider.test', copyTo: null });
    await sendAll();
    expect(mails.received.map(({ to }) => to)).toEqual(['help@provider.test']);
    const text = plainText(mails.received[0]);
    expect(text).toContain(`(no e-mail address), user name ${person.username}`);
    expect(text).not.toContain('Reply-To');
    const { data: connections } = await (await portal.as('super-admin')).call(listConnections, {});
    expect(connections.map(({ health }) => health?.state)).toEqual(['ok']);
  });

  it('422: has a subject of one line, and says something', async () => {
    const person = await portal.as('operator');
    const sent = (changes: object) => refusal(person.send(requestSupport, { body: { ...BODY, ...changes } }));
    for (const subject of ['a\r\nBcc: eve@example.com', 'a\nb', 'a\u2028b', ' '])
      expect(await sent({ subject })).toMatchObject({ status: 422, errors: [{ path: 'body.subject' }] });
    expect(await sent({ message: ' \n ' })).toMatchObject({ status: 422, errors: [{ path: 'body.message' }] });
    expect(await sent({ page: 'https://eve.example' })).toMatchObject({ status: 422, errors: [{ path: 'body.page' }] });
    expect(portal.sent).toEqual([]);
  });

  it('429: is sent five times within an hour, also if several come at once, and again after it', async () => {
    const person = await portal.as('operator');
    const statuses = await Promise.all(
      Array.from({ length: 7 }, async () => (await person.send(requestSupport, { body: BODY })).status),
    );
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await (await portal.as('operator')).send(requestSupport, { body: BODY })).status).toBe(200);
    portal.clock.now = new Date(TEST_NOW.getTime() + 3_600_001);
    expect((await person.send(requestSupport, { body: BODY })).status).toBe(200);
  });

  it('409: says what to do where the brand has no address, and where it cannot send mails', async () => {
    const other = await portal.as('operator', { providerId: 2 });
    expect(await refusal(other.send(requestSupport, { body: BODY }))).toMatchObject({
      status: 409,
      message: 'This portal has no support address. An administrator enters it on the page Brands.',
    });
    await setBranding(2, { supportEmail: 'help@other.test' });
    expect(await refusal(other.send(requestSupport, { body: BODY }))).toMatchObject({
      status: 409,
      message: expect.stringContaining('Write to help@other.test instead.'),
    });
  });

  it('forgets requests after a month', async () => {
    await (await portal.as('operator')).call(requestSupport, { body: BODY });
    const count = async () => (await rows(portal.database, sql`select from support_requests`)).length;
    await removeOldRequests(portal.database, new Date(TEST_NOW.getTime() + 29 * 86_400_000));
    expect(await count()).toBeGreaterThan(0);
    await removeOldRequests(portal.database, new Date(TEST_NOW.getTime() + 31 * 86_400_000));
    expect(await count()).toBe(0);
  });
});

describe('POST chat/identity-token', () => {
  const SECRET = 'a secret of at least thirty-two characters';
  const chat = (enabled: boolean) => ({
    features: {
      supportSection: {
        enabled: true,
        links: {
          request: { enabled: false },
          live: { enabled, url: 'https://chat.example.com/widget' },
          downloads: { enabled: false },
          faq: { enabled: false },
        },
      },
    },
  });
  const own = async ({ userId, username }: Caller) => {
    const [user] = await rows<{ name: string; email: string }>(
      portal.database,
      sql`select name, email from users where id = ${userId}`,
    );
    if (user === undefined) throw new Error(`There is no user ${username}.`);
    return { ...user, serviceProviderId: 1 };
  };

  it('409: is for a brand that has a chat, and a secret for it', async () => {
    const person = await portal.as('operator');
    const body = await own(person);
    const asked = () => refusal(person.send(makeChatToken, { body }));
    expect(await asked()).toMatchObject({ status: 409, message: 'This portal has no live chat.' });
    await setBranding(1, chat(true));
    expect(await asked()).toMatchObject({ status: 409, message: expect.stringContaining('page Brands') });
  });

  it('200: says who the user is to that chat for five minutes, signed with the secret of the brand', async () => {
    await setBranding(1, chat(true));
    const administrator = await portal.as('super-admin');
    await administrator.call(setChatSecret, { params: { id: 1 }, body: { secret: SECRET } });
    const person = await portal.as('operator');
    const body = await own(person);
    const { data } = await person.call(makeChatToken, { body });
    const [head = '', claims = '', signature] = data.token.split('.');
    expect(createHmac('sha256', SECRET).update(`${head}.${claims}`).digest('base64url')).toBe(signature);
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' });
    const iat = Math.floor(TEST_NOW.getTime() / 1_000);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      ...{ iss: 'https://portal.test', aud: 'https://chat.example.com', sub: person.userId, iat, exp: iat + 300 },
      ...body,
    });
    expect(Date.parse(data.expiresAt)).toBe((iat + 300) * 1_000);
  });

  it('403: says of no other user who that is', async () => {
    const [person, victim] = [await portal.as('operator'), await portal.as('admin')];
    const [self, other] = [await own(person), await own(victim)];
    for (const body of [other, { ...self, email: other.email }, { ...self, serviceProviderId: 2 }])
      expect((await person.send(makeChatToken, { body })).status).toBe(403);
  });
});
