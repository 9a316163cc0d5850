import { type SmtpServer, startSmtpServer } from '@keepwatch/connectors/testing/smtp-server';
import { editJobNotification, listSessionLog } from '@keepwatch/contract/microsoft365/jobs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { announce } from '../../foundation/outbox/domain-events.ts';
import { connectMailServer, mailServices, plainText } from '../../testing/mail-connection.ts';
import {
  type BuiltOrganization,
  buildM365Job,
  buildOwnOrganization,
  buildSession,
} from '../../testing/microsoft365-builders.ts';
import { settle } from '../../testing/settle.ts';
import { type Caller, recordingQueue, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { sessionEnded } from '../sessions/session-events.ts';
import { SessionLog } from '../sessions/session-log.ts';
import { sendJobMail, sendJobMailJob } from './send-job-mail.ts';

let portal: TestPortal;
let server: SmtpServer;
let admin: Caller;
let organization: BuiltOrganization;
beforeAll(async () => {
  portal = await startTestPortal();
  server = await startSmtpServer();
});
afterAll(async () => {
  await server.stop();
  await portal.stop();
});
beforeEach(async () => {
  server.received.length = 0;
  server.recipientReply = '250 ok';
  await execute(portal.database, sql`delete from connections`);
  await execute(portal.database, sql`delete from outbox`);
  admin = await portal.as('o365_admin');
  organization = await buildOwnOrganization(portal.database, { name: 'Contoso' });
});

/** A job with who is mailed of it. */
async function jobWith(notification: { userIds?: string[]; externalAddresses?: string[]; notifyOnFailure?: boolean }) {
  const jobId = await buildM365Job(portal.database, organization, { name: 'Nightly mail' });
  const settings = { enabled: true, userIds: [], externalAddresses: [], notifyOnFailure: true, ...notification };
  await admin.call(editJobNotification, { params: { jobId }, body: { organizationId: organization.id, ...settings } });
  return jobId;
}

/** A run of a job that ends. @returns the mails that are handed over for it */
async function endRun(jobId: string, result: 'Success' | 'Warning' | 'Failed', message: string | null = null) {
  const id = await buildSession(portal.database, { providerId: 1, id: jobId }, { result, message });
  const at = TEST_NOW.toISOString();
  const { id: organizationId, companyId } = organization;
  const ended = { jobId, jobName: 'Nightly mail', organizationId, companyId, result, message };
  await announce(portal.database, sessionEnded, { providerId: 1, id }, { ...ended, startedAt: at, endedAt: at });
  const sent: TestPortal['sent'] = [];
  await settle(portal.database, recordingQueue(sent));
  return sent
    .filter(({ name }) => name === sendJobMailJob.name)
    .map(({ payload }) => sendJobMailJob.payload.parse(payload));
}

const send = (mail: Parameters<typeof sendJobMail>[1]) =>
  sendJobMail(mailServices(portal.database), mail, new AbortController().signal);

describe('the mail of a job', () => {
  it('goes to its users and other addresses, once to each, when a run fails, and not when it succeeds', async () => {
    const ada = await portal.as('o365_admin');
    const outsider = await portal.as('o365_admin');
    const gone = await portal.as('o365_admin');
    const jobId = await jobWith({
      userIds: [ada.userId, outsider.userId, gone.userId],
      externalAddresses: ['desk@example.org', `${ada.username}@EXAMPLE.test`],
    });
    const other = await buildOwnOrganization(portal.database);
    await execute(
      portal.database,
      sql`insert into user_companies (provider_id, user_id, company_id) values (1, ${outsider.userId}, ${other.companyId})`,
    );
    await execute(portal.database, sql`update users set disabled_at = now() where id = ${gone.userId}`);
    expect(await endRun(jobId, 'Success')).toEqual([]);
    const mails = await endRun(jobId, 'Failed');
    const reached = mails.map(({ to }) => to.toLowerCase()).sort();
    expect(reached).toEqual(['desk@example.org', `${ada.username}@example.test`]);
  });

  it('goes out for every run where that was chosen, and for none where it is switched off', async () => {
    const jobId = await jobWith({ externalAddresses: ['desk@example.org'], notifyOnFailure: false });
    expect(await endRun(jobId, 'Success')).toHaveLength(1);
    expect(await endRun(await buildM365Job(portal.database, organization), 'Failed')).toEqual([]);
  });

  it('says what failed, of which organization, with the problems of its log and a link to the job', async () => {
    await connectMailServer(portal.database, server);
    const jobId = await jobWith({ externalAddresses: ['desk@example.org'] });
    const [mail] = await endRun(jobId, 'Failed', 'The repository could not be opened.');
    if (mail === undefined) throw new Error('Nothing was handed over.');
    const log = new SessionLog(portal.database, { providerId: 1, id: mail.sessionId });
    log.add('info', null, 'Worker one begins the run.');
    log.add('error', 'Ada', "'Offer' could not be read: it is gone");
    await log.flush();
    await send(mail);
    const data = plainText(server.received[0]);
    expect(data).toContain('Subject: Failed: Nightly mail (Contoso)');
    expect(data).toContain('The repository could not be opened.');
    expect(data).toContain("- Ada: 'Offer' could not be read: it is gone");
    expect(data).not.toContain('Worker one begins');
    expect(data).toContain(`https://portal.test:8443/o365/jobs?open=${jobId}`);
    const health = await rows(portal.database, sql`select health from connections`);
    expect(health).toEqual([{ health: 'ok' }]);
  });

  const logOf = async (jobId: string, sessionId: string) => {
    const query = { organizationId: organization.id, limit: 10, offset: 0 };
    const { data } = await admin.call(listSessionLog, { params: { jobId, sessionId }, query });
    return data.map(({ message }) => message);
  };

  it('is said to be missing in the log of the run where no mail server is connected', async () => {
    const jobId = await jobWith({ externalAddresses: ['desk@example.org'] });
    const [mail] = await endRun(jobId, 'Failed');
    await send(mail ?? { providerId: 1, sessionId: '', to: '' });
    expect(await logOf(jobId, mail?.sessionId ?? '')).toEqual([
      'desk@example.org was not mailed: no mail server is connected. An administrator connects one on the page Connectors.',
    ]);
  });

  it('is attempted again where the server is busy, and not where it refuses the recipient; both are in the log', async () => {
    await connectMailServer(portal.database, server);
    const jobId = await jobWith({ externalAddresses: ['desk@example.org'] });
    const [mail = { providerId: 1, sessionId: '', to: '' }] = await endRun(jobId, 'Warning');
    server.recipientReply = '451 4.7.1 try later';
    await expect(send(mail)).rejects.toThrow('try later');
    server.recipientReply = '550 5.1.1 no such mailbox';
    await send(mail);
    expect(await logOf(jobId, mail.sessionId)).toEqual([
      expect.stringContaining('try later'),
      expect.stringContaining('no such mailbox'),
    ]);
  });

  it('shows at the mail server when its password is refused', async () => {
    await connectMailServer(portal.database, server, { password: 'other' });
    const jobId = await jobWith({ externalAddresses: ['desk@example.org'] });
    const [mail = { providerId: 1, sessionId: '', to: '' }] = await endRun(jobId, 'Failed');
    await send(mail);
    const health = await rows(portal.database, sql`select health from connections`);
    expect(health).toEqual([{ health: 'failing' }]);
  });
});
