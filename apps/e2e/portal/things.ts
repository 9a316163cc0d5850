import { randomUUID } from 'node:crypto';
import { createUser } from '@keepwatch/contract/directory/users';
import { listM365Jobs } from '@keepwatch/contract/microsoft365/jobs';
import { listOrganizations } from '@keepwatch/contract/microsoft365/organizations';
import { backgroundDownloadReply } from '@keepwatch/contract/restore/downloads';
import { downloadMailbox, listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import { listRestoreRoles } from '@keepwatch/contract/restore/roles';
import { openRestoreSession } from '@keepwatch/contract/restore/sessions';
import { request, type Transport } from '@keepwatch/contract/wire/client';
import { test as journey } from './journey.ts';
import { microsoft365, untilHistoryEnds } from './microsoft365-portal.ts';
import { sessionOf } from './person.ts';

/** Ids of what the screens with parameters are of, by the names that addresses have for them (screens.ts). */
export type Things = Readonly<Record<string, string>>;

/** A journey through screens with parameters. */
export const test = journey.extend<object, { things: Things }>({
  things: [
    async ({ browserName: _ }, use) => {
      await untilHistoryEnds();
      await use(await thingsOf(microsoft365()));
    },
    { scope: 'worker', timeout: 900_000 },
  ],
});

/** Looks them up in a portal, and makes those that a demonstration begins without: a download, and a link for choosing a password. */
async function thingsOf(origin: string): Promise<Things> {
  const [m365, admin] = [await transportOf('m365', origin), await transportOf('admin', origin)];
  const organization = first('organization', (await request(m365, listOrganizations, {})).data);
  const [job, role] = [
    first('job', (await request(m365, listM365Jobs, {})).data),
    first('role', (await request(m365, listRestoreRoles, {})).data),
  ];
  return {
    organization: organization.id,
    company: organization.companyId,
    job: job.id,
    role: role.id,
    download: await makeDownload(m365, { companyId: organization.companyId, organizationId: organization.id }),
    invitation: await inviteUser(admin),
  };
}

/** An address with the ids in the place of their names. */
export function addressWith(things: Things, address: string): string {
  return address.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = things[name];
    if (id === undefined) throw new Error(`${address} names {${name}}, which portal/things.ts does not look up.`);
    return id;
  });
}

async function transportOf(username: string, origin: string): Promise<Transport> {
  const { token } = await sessionOf(username, origin);
  return { fetch, origin, token: () => token };
}

function first<T>(what: string, [one]: readonly T[]): T {
  if (one === undefined) throw new Error(`The demonstration has no ${what}: it is made in the first minute.`);
  return one;
}

async function makeDownload(transport: Transport, of: { companyId: string; organizationId: string }): Promise<string> {
  const body = { ...of, datetime: new Date().toISOString(), sessionType: 'vex' } as const;
  const { data: session } = await request(transport, openRestoreSession, { body });
  const params = { restoreSessionId: session.id };
  const { data } = await request(transport, listRestoreMailboxes, { params, query: { limit: 1 } });
  const mailbox = first('mailbox', data.results);
  const reply = await request(transport, downloadMailbox, {
    params: { ...params, mailboxId: mailbox.id },
    body: { ...of, downloadInBackground: true },
  });
  return backgroundDownloadReply.parse(JSON.parse(await reply.text())).download.id;
}

async function inviteUser(transport: Transport): Promise<string> {
  const username = `invited.${randomUUID().slice(0, 8)}`;
  const account = { username, name: 'Invited', email: `${username}@example.com`, companyIds: null };
  const { invitation } = await request(transport, createUser, { body: { ...account, roles: ['operator'] } });
  return new URL(invitation.link).searchParams.get('hash') ?? '';
}
