import type {
  listRestoreRoles,
  RestoreRole,
  RestoreRoleDetail,
  RoleItem,
  RoleType,
} from '@keepwatch/contract/restore/roles';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../../audit/target-name.ts';
import { namesOfUsers } from '../../directory/users.ts';
import { containing, every, orderOf } from '../../foundation/conditions.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { insert, remove, update } from '../../foundation/table-writes.ts';
import { organizationOf } from '../../microsoft365/organizations/organizations.ts';
import { restoreRoles } from '../tables.ts';

/** What a person enters of a role. */
export interface RoleContent {
  name: string;
  description: string;
  roleType: RoleType;
  operatorIds: readonly string[];
  selected: readonly RoleItem[];
  excluded: readonly RoleItem[];
}

/** What a role lets its operators see. */
export type RoleItems = Pick<RoleContent, 'roleType' | 'selected' | 'excluded'>;

export interface RoleKey {
  providerId: number;
  id: string;
}

/** Names a role in the users logs. */
export const nameOfRestoreRole: NameOfTarget = (scope, id) =>
  sql`select t.name from restore_roles t ${organizationOf('t')} where ${scope.rows('o')} and t.id = ${id}`;

/** A role is in the company of its organization (alias `o`), which may be moved to another one. */
const TABLES = sql`restore_roles r ${organizationOf('r')}`;

const COLUMNS = sql`r.id, r.name, r.description, o.company_id as "companyId", r.organization_id as "organizationId", o.name as "organizationName",
  r.role_type as "roleType", ${namesOfUsers(sql`r.provider_id`, sql`r.operator_ids`)} as operators`;

const SORTS: Readonly<Record<SortOf<typeof listRestoreRoles>, SQL>> = {
  name: sql`lower(r.name)`,
  organizationName: sql`lower(o.name)`,
};

/** Lists the roles within reach. */
export function listRoles(
  connection: Connection,
  scope: Scope,
  { companyId, organizationId, search, sort = 'name', limit, offset }: CallInput<typeof listRestoreRoles>['query'],
): Promise<Page<RestoreRole>> {
  const conditions = [scope.narrowedTo(companyId === undefined ? undefined : [companyId]).rows('o')];
  if (organizationId !== undefined) conditions.push(sql`r.organization_id = ${organizationId}`);
  if (search) conditions.push(sql`(r.name ilike ${containing(search)} or o.name ilike ${containing(search)})`);
  const found = sql`${TABLES} where ${every(conditions)}`;
  return readPage(
    connection,
    sql`select ${COLUMNS}, jsonb_array_length(r.selected) as "selectedCount", jsonb_array_length(r.excluded) as "excludedCount"
        from ${found} order by ${orderOf(SORTS, sort)}, r.id limit ${limit} offset ${offset}`,
    sql`select count(*) as count from ${found}`,
  );
}

/** Finds a role within reach; `null` where there is none. */
export function findRole(connection: Connection, scope: Scope, id: string): Promise<RestoreRoleDetail | null> {
  return row(
    connection,
    sql`select ${COLUMNS}, r.selected as "selectedItems", r.excluded as "excludedItems" from ${TABLES} where ${scope.rows('o')} and r.id = ${id}`,
  );
}

/** What the roles that name a user show of an organization. */
export function rolesOfOperator(
  connection: Connection,
  { providerId, userId }: { providerId: number; userId: string },
  organizationId: string,
): Promise<RoleItems[]> {
  return rows(
    connection,
    sql`select r.role_type as "roleType", r.selected, r.excluded from restore_roles r
        where r.provider_id = ${providerId} and r.organization_id = ${organizationId} and r.operator_ids @> array[${userId}::uuid]`,
  );
}

/** The organizations of which the roles that name a user show something. */
export async function organizationsOfOperator(
  connection: Connection,
  { providerId, userId }: { providerId: number; userId: string },
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    connection,
    sql`select distinct r.organization_id as id from restore_roles r
        where r.provider_id = ${providerId} and r.operator_ids @> array[${userId}::uuid]`,
  );
  return found.map(({ id }) => id);
}

/** Whether another role of the organization has the name. */
export async function isNameInUse(
  connection: Connection,
  organization: { providerId: number; organizationId: string },
  { name, id }: { name: string; id: string },
): Promise<boolean> {
  const found = await row(
    connection,
    sql`select r.id from restore_roles r where r.provider_id = ${organization.providerId}
        and r.organization_id = ${organization.organizationId} and lower(r.name) = lower(${name}) and r.id <> ${id}`,
  );
  return found !== null;
}

/** @returns whether it was stored: the name may have come into use meanwhile */
export async function insertRole(
  connection: Connection,
  key: RoleKey & { companyId: string; organizationId: string },
  content: RoleContent,
  now: Date,
): Promise<boolean> {
  const stored = await insert(
    connection,
    restoreRoles,
    { ...key, ...written(content), createdAt: now },
    sql`on conflict do nothing`,
  );
  return stored > 0;
}

export function updateRole(connection: Connection, { providerId, id }: RoleKey, content: RoleContent): Promise<number> {
  return update(connection, restoreRoles, written(content), { providerId, id });
}

const written = ({ operatorIds, ...content }: RoleContent) => ({ ...content, operatorIds: [...operatorIds] });

export function removeRole(connection: Connection, { providerId, id }: RoleKey): Promise<number> {
  return remove(connection, restoreRoles, { providerId, id });
}
