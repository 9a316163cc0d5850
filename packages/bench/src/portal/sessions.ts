import { listMailboxFolders, listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import { listRestorePoints, openRestoreSession, type SessionType } from '@keepwatch/contract/restore/sessions';
import { listRestoreSites } from '@keepwatch/contract/restore/sites';
import { addressOf, request } from '@keepwatch/contract/wire/client';
import type { BenchOrganization } from './bench-organization.ts';
import { SITES, USERS } from './bench-tenant.ts';
import { type OpenSessions, ROWS } from './first-pages.ts';

/** Of a page that is asked for. */
const PAGE_ROWS_MAX = 1_000;

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
  const lastOf = (
    list: typeof listRestoreMailboxes | typeof listRestoreSites,
    restoreSessionId: string,
    rows: number,
  ) => lastPage(origin, token, (limit) => addressOf(list, { params: { restoreSessionId }, query: { limit } }), rows);
  const [lastMailboxes, lastSites] = await Promise.all([
    lastOf(listRestoreMailboxes, idOf.vex, USERS),
    lastOf(listRestoreSites, idOf.vesp, SITES),
  ]);
  return {
    idOf,
    mailboxId,
    folderId: folders.data.results[0]?.id ?? '',
    siteId: sites.data.results[0]?.id ?? '',
    lastMailboxes,
    lastSites,
  };
}

/** The address of the last page of a list, which a screen has from the link of the page before. @param rows of the list */
async function lastPage(
  origin: string,
  token: string,
  first: (limit: number) => string,
  rows: number,
): Promise<string> {
  const pages = Math.ceil((rows - ROWS) / PAGE_ROWS_MAX);
  let address = first(Math.ceil((rows - ROWS) / pages));
  for (let page = 0; page < pages; page += 1) {
    const response = await fetch(`${origin}${address}`, { headers: { authorization: `Bearer ${token}` } });
    const { _links }: { _links: { next?: { href: string } } } = await response.json();
    if (_links.next === undefined) throw new Error(`${address} has no page after it.`);
    address = `/api${_links.next.href}`;
  }
  return address.replace(/limit=\d+/, `limit=${ROWS}`);
}
