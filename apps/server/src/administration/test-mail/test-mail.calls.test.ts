import { type SmtpServer, startSmtpServer } from '@keepwatch/connectors/testing/smtp-server';
import { sendTestMail } from '@keepwatch/contract/administration/test-mail';
import { listConnections } from '@keepwatch/contract/connections/connections';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { buildCompany } from '../../testing/builders.ts';
import { connectMailServer, plainText } from '../../testing/mail-connection.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
let owner: Caller;
let mails: SmtpServer;
beforeAll(async () => {
  portal = await startTestPortal();
  owner = await portal.as('super-admin');
});
afterAll(() => portal.stop());
beforeEach(async () => {
  mails = await startSmtpServer();
});
afterEach(async () => {
  await mails.stop();
  await execute(portal.database, sql`delete from connections`);
});

const address = () => `${owner.username}@example.test`;

describe('POST admin/test-mail', () => {
  it('200: sends one to who asks, and says what the server answered', async () => {
    await connectMailServer(portal.database, mails);
    const { data } = await owner.call(sendTestMail, {});
    expect(data).toEqual({
      outcome: 'works',
      message: expect.stringContaining(`${address()} and answered: 250 accepted.`),
    });
    expect(mails.received.map(({ to }) => to)).toEqual([address()]);
    expect(plainText(mails.received[0])).toContain('Subject: Test mail from Provider 1');
    const [{ health } = { health: null }] = (await owner.call(listConnections, {})).data;
    expect(health).toMatchObject({ state: 'ok' });
    expect(
      await rows(portal.database, sql`select action, after from audit_entries where action = 'mail.test'`),
    ).toEqual([{ action: 'mail.test', after: { to: address(), ...data } }]);
  });

  it('200: says in the words of the server why it refuses the receiver or the password', async () => {
    await connectMailServer(portal.database, mails);
    mails.recipientReply = '550 5.1.1 no such mailbox';
    expect((await owner.call(sendTestMail, {})).data).toEqual({
      outcome: 'not-allowed',
      message: expect.stringContaining('550 5.1.1 no such mailbox'),
    });
    await execute(portal.database, sql`delete from connections`);
    await connectMailServer(portal.database, mails, { password: 'wrong' });
    const { data } = await owner.call(sendTestMail, {});
    expect(data).toEqual({ outcome: 'wrong-credentials', message: expect.stringContaining('535 5.7.8 no such user') });
    expect(data.message).not.toContain('wrong');
  });

  it('200: says that no server answers', async () => {
    await connectMailServer(portal.database, mails);
    await mails.stop();
    expect((await owner.call(sendTestMail, {})).data.outcome).toBe('not-reachable');
  });

  it('409: says what is missing: a mail server, an address of the own', async () => {
    expect(await refusal(owner.send(sendTestMail, {}))).toMatchObject({
      status: 409,
      message: expect.stringContaining('No mail server is connected'),
    });
    const other = await portal.as('super-admin');
    await execute(portal.database, sql`update users set email = '' where id = ${other.userId}`);
    expect(await refusal(other.send(sendTestMail, {}))).toMatchObject({
      status: 409,
      message: expect.stringContaining('no e-mail address'),
    });
  });

  it('403: is not for users who are limited to companies, or other roles', async () => {
    const limited = await portal.as('super-admin', { companyIds: [await buildCompany(portal.database)] });
    expect((await limited.send(sendTestMail, {})).status).toBe(403);
    expect((await (await portal.as('admin')).send(sendTestMail, {})).status).toBe(403);
  });
});
