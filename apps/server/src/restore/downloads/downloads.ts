import { type BackgroundDownload, downloadUrl } from '@keepwatch/contract/restore/downloads';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../../audit/target-name.ts';
import { type Connection, execute, row, rows } from '../../foundation/database.ts';
import type { Actor } from '../../foundation/http/context.ts';
import { type Page, readCount, readPage } from '../../foundation/page.ts';
import { type Changes, remove, update } from '../../foundation/table-writes.ts';
import { organizationOf } from '../../microsoft365/organizations/organizations.ts';
import { LOST } from '../abandoned-work.ts';
import { restoreDownloads } from '../tables.ts';
import type { DownloadOrder, DownloadProgress, DownloadState } from './download-order.ts';

export interface DownloadKey {
  providerId: number;
  id: string;
}

export interface DownloadRow extends DownloadKey {
  companyId: string;
  organizationId: string;
  organizationName: string;
  sessionId: string | null;
  userId: string;
  username: string;
  fileName: string;
  format: string;
  downloadOrder: DownloadOrder;
  state: DownloadState;
  createdAt: string;
  cancelAskedAt: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  expiresAt: string | null;
  progress: Partial<DownloadProgress>;
  sizeBytes: number | null;
  sha256: string | null;
  missing: number;
  message: string | null;
  /** Workers that have begun it and did not give it back. */
  claims: number;
}

const columnsWith = (
  order: SQL,
) => sql`d.provider_id as "providerId", d.id, d.company_id as "companyId", d.organization_id as "organizationId",
  d.organization_name as "organizationName", d.session_id as "sessionId", d.user_id as "userId", d.username, d.file_name as "fileName", d.format,
  ${order} as "downloadOrder", d.state, d.created_at as "createdAt", d.cancel_asked_at as "cancelAskedAt", d.started_at as "startedAt",
  d.finished_at as "finishedAt", d.expires_at as "expiresAt", d.progress, d.size_bytes as "sizeBytes", d.sha256, d.missing, d.message, d.claims`;

const COLUMNS = columnsWith(sql`d.download_order`);
/** Without the ids of what is in it, of which there may be ten thousand: lists and a caller who asks how far it is need none. */
const LISTED = columnsWith(sql`jsonb_set(d.download_order, '{scope,items}', 'null')`);

/** A download is in the company of its organization (alias `o`), which may be moved to another one. */
const TABLES = sql`restore_downloads d ${organizationOf('d')}`;

const own = ({ scope, userId }: Pick<Actor, 'scope' | 'userId'>): SQL =>
  sql`${scope.rows('o')} and d.user_id = ${userId}`;

/** Names a download in the users logs. */
export const nameOfDownload: NameOfTarget = (scope, id) =>
  sql`select t.file_name from restore_downloads t ${organizationOf('t')} where ${scope.rows('o')} and t.id = ${id}`;

/** For the worker: no user asks. */
export function findDownload(connection: Connection, { providerId, id }: DownloadKey): Promise<DownloadRow | null> {
  return row(
    connection,
    sql`select ${COLUMNS} from restore_downloads d where d.provider_id = ${providerId} and d.id = ${id}`,
  );
}

/** Begins a download in a worker; `null` for one that ended, was cancelled or removed. */
export function claimDownload(
  connection: Connection,
  { providerId, id }: DownloadKey,
  at: Date,
): Promise<DownloadRow | null> {
  return row(
    connection,
    sql`update restore_downloads d set state = 'running', started_at = coalesce(d.started_at, ${at}), claims = d.claims + 1
        where d.provider_id = ${providerId} and d.id = ${id} and d.state in ('queued', 'running') returning ${COLUMNS}`,
  );
}

/** Gives a download back, so that another worker makes it. */
export async function releaseDownload(connection: Connection, { providerId, id }: DownloadKey): Promise<void> {
  const which = sql`provider_id = ${providerId} and id = ${id} and state = 'running'`;
  await update(connection, restoreDownloads, { claims: sql`claims - 1` }, which);
}

/** Ends the downloads that were ordered before a time and have not ended: no worker has them any more. */
export async function endLostDownloads(connection: Connection, before: Date, at: Date): Promise<void> {
  await execute(
    connection,
    sql`update restore_downloads d set state = 'failed', message = ${LOST}, finished_at = ${at}
        where d.state in ('queued', 'running') and d.created_at < ${before}`,
  );
}

/** A download of the caller, `null` for another's. */
export function findOwnDownload(
  connection: Connection,
  actor: Pick<Actor, 'scope' | 'userId'>,
  id: string,
): Promise<DownloadRow | null> {
  return row(connection, sql`select ${LISTED} from ${TABLES} where ${own(actor)} and d.id = ${id}`);
}

export interface DownloadFilter {
  companyId?: string | undefined;
  organizationId?: string | undefined;
  status?: readonly string[] | undefined;
  limit: number;
  offset: number;
}

/** Downloads of the caller, newest first. */
export function listOwnDownloads(
  connection: Connection,
  actor: Pick<Actor, 'scope' | 'userId'>,
  { companyId, organizationId, status, limit, offset }: DownloadFilter,
): Promise<Page<DownloadRow>> {
  const where = sql`${own(actor)} and (${companyId ?? null}::uuid is null or o.company_id = ${companyId ?? null})
    and (${organizationId ?? null}::uuid is null or d.organization_id = ${organizationId ?? null})
    and (${status === undefined ? null : sql.param(status)}::text[] is null or d.state = any(${status === undefined ? null : sql.param(status)}::text[]))`;
  return readPage(
    connection,
    sql`select ${LISTED} from ${TABLES} where ${where} order by d.created_at desc, d.id limit ${limit} offset ${offset}`,
    sql`select count(*) from ${TABLES} where ${where}`,
  );
}

/** Counts the downloads of the caller that can be fetched, up to `max`. */
export function countReadyDownloads(
  connection: Connection,
  actor: Pick<Actor, 'scope' | 'userId'>,
  now: Date,
  max: number,
): Promise<number> {
  return readCount(
    connection,
    sql`select count(*) as count from (select from ${TABLES}
        where ${own(actor)} and d.state = 'finished' and d.expires_at > ${now} limit ${max}) counted`,
  );
}

export function updateDownload(
  connection: Connection,
  { providerId, id }: DownloadKey,
  changes: Changes<typeof restoreDownloads>,
): Promise<number> {
  return update(connection, restoreDownloads, changes, { providerId, id });
}

/** Marks one as being made. @returns whether it is to be: it may have been cancelled or removed since it was read */
export async function beginDownload(
  connection: Connection,
  { providerId, id, state }: Pick<DownloadRow, 'providerId' | 'id' | 'state'>,
  startedAt: string | Date,
): Promise<boolean> {
  return (await update(connection, restoreDownloads, { state: 'running', startedAt }, { providerId, id, state })) > 0;
}

/** Changes one that a worker is at. @returns whether it still was, and neither cancelled nor removed */
export async function finishDownload(
  connection: Connection,
  { providerId, id }: DownloadKey,
  changes: Changes<typeof restoreDownloads>,
): Promise<boolean> {
  return (await update(connection, restoreDownloads, changes, { providerId, id, state: 'running' })) > 0;
}

export function removeDownload(connection: Connection, { providerId, id }: DownloadKey): Promise<number> {
  return remove(connection, restoreDownloads, { providerId, id });
}

export async function isDownloadCancelled(connection: Connection, { providerId, id }: DownloadKey): Promise<boolean> {
  const found = await row<{ isAsked: boolean }>(
    connection,
    sql`select cancel_asked_at is not null as "isAsked" from restore_downloads where provider_id = ${providerId} and id = ${id}`,
  );
  return found?.isAsked ?? true;
}

/** Finished downloads of all providers whose files are to go. */
export function listExpired(connection: Connection, now: Date): Promise<DownloadKey[]> {
  return rows(
    connection,
    sql`select provider_id as "providerId", id from restore_downloads where state = 'finished' and expires_at <= ${now.toISOString()} limit 1000`,
  );
}

export function shownDownload(download: DownloadRow): BackgroundDownload {
  const { id, fileName, format, state, organizationId, organizationName, companyId, sessionId, createdAt } = download;
  const { username, startedAt, finishedAt, expiresAt, progress, sizeBytes, sha256, missing, message } = download;
  return {
    id,
    fileName,
    format,
    status: state,
    organizationId,
    organizationName,
    companyId,
    restoreSessionId: sessionId,
    createdAt,
    createdBy: username,
    startedAt,
    finishedAt,
    expiresAt,
    items: progress.items ?? 0,
    totalItems: progress.totalItems ?? null,
    bytes: progress.bytes ?? 0,
    sizeBytes,
    sha256,
    missing,
    message,
    url: state === 'finished' ? downloadUrl(id) : null,
  };
}
