import type { EngineKind } from '@keepwatch/contract/microsoft365/engines';
import type {
  listOrganizations,
  Organization,
  OrganizationDetail,
  Region,
  Service,
} from '@keepwatch/contract/microsoft365/organizations';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../../audit/target-name.ts';
import { companyOf } from '../../directory/companies.ts';
import { containing, every, orderOf } from '../../foundation/conditions.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { requireFeature } from '../engine/engine-features.ts';
import { LAST_PROOF_OF_ORGANIZATION } from '../proofs/last-proofs.ts';
import { readApplications, type SealedApplication } from './applications.ts';
import type { OrganizationSettings } from './organization-settings.ts';

/** An organization as it is stored, with what lists show of it. */
export interface StoredOrganization extends Omit<Organization, '_id' | 'type' | `is${string}` | 'certificateDaysLeft'> {
  tenantId: string;
  region: Region;
  services: Service[];
  settings: OrganizationSettings;
  certificateExpiresAt: string | null;
}

const COLUMNS = sql`o.id, o.name, o.office_name as "officeName", o.tenant_id as "tenantId", o.company_id as "companyId",
  c.name as "companyName", o.engine, o.region, o.auth_type as "authType", o.services, o.settings, jobs.count as "jobCount",
  points.first as "firstBackuptime", points.last as "lastBackuptime", apps.expires as "certificateExpiresAt",
  coalesce(apps.restores, false) as "canRestore",
  ${LAST_PROOF_OF_ORGANIZATION} as "lastProof"`;

/** Organizations (alias `o`) of companies that are there (`c`), with figures of their jobs, repositories and applications. */
const TABLES = sql`m365_organizations o ${companyOf('o')}
  cross join lateral (select count(*)::int as count from m365_jobs j where j.provider_id = o.provider_id and j.organization_id = o.id) jobs
  cross join lateral (select min(h.first_at) as first, max(h.last_at) as last from m365_repositories r
    join m365_restore_points h on h.provider_id = r.provider_id and h.repository_id = r.id
    where r.provider_id = o.provider_id and r.organization_id = o.id) points
  cross join lateral (select min(a.certificate_expires_at) as expires, bool_or(a.purpose = 'restore') as restores from m365_applications a
    where a.provider_id = o.provider_id and a.organization_id = o.id) apps`;

const within = (scope: Scope): SQL[] => [scope.rows('o'), sql`c.id is not null`];

const SORTS: Readonly<Record<SortOf<typeof listOrganizations>, SQL>> = {
  name: sql`lower(o.name)`,
  companyName: sql`lower(c.name)`,
  lastBackuptime: sql`points.last`,
};

/** Lists the organizations within reach. */
export async function listStored(
  connection: Connection,
  scope: Scope,
  { companyId, search, sort = 'name', limit, offset }: CallInput<typeof listOrganizations>['query'],
  now: Date,
): Promise<Page<Organization>> {
  const conditions = within(scope.narrowedTo(companyId === undefined ? undefined : [companyId]));
  if (search) conditions.push(sql`(o.name ilike ${containing(search)} or o.office_name ilike ${containing(search)})`);
  const found = sql`${TABLES} where ${every(conditions)}`;
  const { count, data } = await readPage<StoredOrganization>(
    connection,
    sql`select ${COLUMNS} from ${found} order by ${orderOf(SORTS, sort)}, o.id limit ${limit} offset ${offset}`,
    sql`select count(*) as count from m365_organizations o ${companyOf('o')} where ${every(conditions)}`,
  );
  return { count, data: data.map((stored) => shownOf(stored, now)) };
}

/** Finds an organization within reach; `null` where there is none. */
export function findOrganization(connection: Connection, scope: Scope, id: string): Promise<StoredOrganization | null> {
  return row(connection, sql`select ${COLUMNS} from ${TABLES} where ${every(within(scope))} and o.id = ${id}`);
}

/** Finds an organization within reach that the portal itself connects. @throws Refusal 404; 409 for one that a server connects */
export async function requireConnected(connection: Connection, scope: Scope, id: string): Promise<StoredOrganization> {
  const found = await findOrganization(connection, scope, id);
  if (found === null) throw notFound('organization');
  requireFeature({ organizationName: found.name, engine: found.engine }, 'connection');
  return found;
}

/** Joins the organization (alias `o`) to rows with `provider_id` and `organization_id`. */
export function organizationOf(alias: string): SQL {
  const table = sql.identifier(alias);
  return sql`join m365_organizations o on o.provider_id = ${table}.provider_id and o.id = ${table}.organization_id`;
}

/** Locks an organization until the end of the transaction. @returns whether it is there, and within reach */
export async function lockOrganization(connection: Connection, scope: Scope, id: string): Promise<boolean> {
  const found = await row(
    connection,
    sql`select o.id from m365_organizations o where ${scope.rows('o')} and o.id = ${id} for update`,
  );
  return found !== null;
}

/** An organization as its own screen shows it. */
export async function readDetail(
  connection: Connection,
  scope: Scope,
  id: string,
  now: Date,
): Promise<OrganizationDetail | null> {
  const stored = await findOrganization(connection, scope, id);
  if (stored === null) return null;
  return detailOf(stored, await readApplications(connection, { providerId: scope.providerId, id }), now);
}

/** Names for pickers. */
export function listNames(connection: Connection, scope: Scope) {
  return rows<{ id: string; name: string; companyId: string; companyName: string; engine: EngineKind }>(
    connection,
    sql`select o.id, o.name, o.company_id as "companyId", c.name as "companyName", o.engine from m365_organizations o ${companyOf('o')}
      where ${every(within(scope))} order by lower(o.name), o.id`,
  );
}

/** The names of the organizations of a company. */
export async function namesOfCompany(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
): Promise<string[]> {
  const found = await rows<{ name: string }>(
    connection,
    sql`select o.name from m365_organizations o where o.provider_id = ${providerId} and o.company_id = ${id} order by lower(o.name), o.id`,
  );
  return found.map(({ name }) => name);
}

/** Names an organization in the users logs. */
export const nameOfOrganization: NameOfTarget = (scope, id) =>
  sql`select t.name from m365_organizations t where ${scope.rows('t')} and t.id = ${id}`;

const DAY_MS = 86_400_000;

function shownOf(stored: StoredOrganization, now: Date): Organization {
  const { tenantId: _tenant, services, settings: _settings, certificateExpiresAt, ...shown } = stored;
  const left = certificateExpiresAt === null ? null : (Date.parse(certificateExpiresAt) - now.getTime()) / DAY_MS;
  return {
    ...shown,
    _id: stored.id,
    type: 'Office365',
    isExchangeOnline: services.includes('exchange'),
    isSharePointOnline: services.includes('sharepoint'),
    isTeamsOnline: services.includes('teams'),
    isTeamsChatsOnline: services.includes('teamsChats'),
    isBackedup: stored.lastBackuptime !== null,
    certificateDaysLeft: left === null ? null : Math.floor(left),
  };
}

function detailOf(stored: StoredOrganization, sealed: readonly SealedApplication[], now: Date): OrganizationDetail {
  const applications = sealed.map(({ credentials: _sealed, ...shown }) => shown);
  const backup = applications.find(({ purpose }) => purpose === 'backup');
  const connectionSettings = {
    officeOrganizationName: stored.officeName,
    account: stored.settings.account ?? null,
    applicationId: backup?.applicationId ?? null,
    applicationCertificateThumbprint: backup?.certificateThumbprint ?? null,
    certificateExpiresAt: backup?.certificateExpiresAt ?? null,
    sharePointSaveAllWebParts: stored.settings.sharePointSaveAllWebParts ?? false,
  };
  return {
    ...shownOf(stored, now),
    exchangeOnlineSettings: connectionSettings,
    sharePointOnlineSettings: connectionSettings,
    applications,
  };
}
