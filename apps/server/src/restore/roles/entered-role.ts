import type { createRestoreRole } from '@keepwatch/contract/restore/roles';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { findUsers } from '../../directory/listed-users.ts';
import type { Connection } from '../../foundation/database.ts';
import { type FieldError, invalid } from '../../foundation/errors.ts';
import type { Scope } from '../../foundation/scope.ts';
import type { RoleContent } from './roles.ts';

type EnteredRole = CallInput<typeof createRestoreRole>['body'];

/** Returns the role that was entered. @throws a 422 for what the declaration of the call cannot check */
export async function roleOfEntered(
  connection: Connection,
  scope: Scope,
  companyId: string,
  entered: EnteredRole,
): Promise<RoleContent> {
  const { name, description, roleType, selectedItems, excludedItems } = entered;
  const operatorIds = [...new Set(entered.operators.map(({ id }) => id.toLowerCase()))];
  const errors = [...itemErrors(entered), ...(await operatorErrors(connection, scope, companyId, operatorIds))];
  if (errors.length > 0) throw invalid(errors);
  const selected = roleType === 'SpecificObjects' ? selectedItems : [];
  return { name, description, roleType, operatorIds, selected, excluded: excludedItems };
}

function itemErrors({ roleType, selectedItems }: EnteredRole): FieldError[] {
  return roleType === 'SpecificObjects' && selectedItems.length === 0
    ? [{ path: 'body.selectedItems', message: 'must have at least one object' }]
    : [];
}

/** Who administers Microsoft 365 sees everything: a role would only seem to limit them. */
async function operatorErrors(
  connection: Connection,
  scope: Scope,
  companyId: string,
  ids: readonly string[],
): Promise<FieldError[]> {
  const query = { ids: [...ids], limit: ids.length, offset: 0 };
  const { data } = await findUsers(connection, scope, query);
  const users = new Map(data.map((user) => [user._id, user]));
  const problems = ids.flatMap((id) => {
    const user = users.get(id);
    return (user === undefined ? 'one of them is no user any more' : problemOf(user, companyId)) ?? [];
  });
  return problems.slice(0, 1).map((message) => ({ path: 'body.operators', message }));
}

interface ListedUser {
  name: string;
  acl: readonly { role: string }[];
  companies: readonly { _id: string }[] | null;
}

function problemOf({ name, acl, companies }: ListedUser, companyId: string): string | null {
  const roles = acl.map(({ role }) => role);
  if (roles.includes('o365_admin')) return `${name} administers Microsoft 365 and sees everything: choose another user`;
  if (!roles.includes('restore-operator')) return `${name} needs the role restore operator: an administrator gives it`;
  const isWithin = companies === null || companies.some(({ _id }) => _id === companyId);
  return isWithin ? null : `${name} does not see the company of this organization`;
}
