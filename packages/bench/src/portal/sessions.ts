import { listMailboxFolders, listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import { listRestorePoints, openRestoreSession, type SessionType } from '@keepwatch/contract/restore/sessions';
import { listRestoreSites } from '@keepwatch/contract/restore/sites';
import { request } from '@keepwatch/contract/wire/client';
import type { BenchOrganization } from './bench-organization.ts';
import type { OpenSessions } from './first-pages.ts';

/** Opens the restore point of an organization in two explorers, as the screens do. */
export async function openSessions(
  origin: string,
  token: string,
  { id: organizationId, companyId }: BenchOrganization,
): Promise<OpenSessions> {
  const portal = { fetch, origin, token: () => token };
  const points = await request(portal, listRestorePoints, { query: { organizationId } });
  const datetime = points.data[0]?.backupTime ?? '';
  const open = async (sessionType: SessionType) => {
    const body = { companyId, organizationId, datetime, sessionType };
    return (await request(portal, openRestoreSession, { body })).data.id;
  };
  const idOf = { vex: await open('vex'), vesp: await open('vesp') };
  const mail = { restoreSessionId: idOf.vex };
  const mailboxes = await request(portal, listRestoreMailboxes, { params: mail, query: { limit: 1 } });
  const mailboxId = mailboxes.data.results[0]?.id ?? '';
  const folders = await request(portal, listMailboxFolders, { params: { ...mail, mailboxId }, query: {} });
  const sites = await request(portal, listRestoreSites, {
    params: { restoreSessionId: idOf.vesp },
    query: { limit: 1 },
  });
  return {
    idOf,
    mailboxId,
    folderId: folders.data.results[0]?.id ?? '',
    siteId: sites.data.results[0]?.id ?? '',
  };
}
