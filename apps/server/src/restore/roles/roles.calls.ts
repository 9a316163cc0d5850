import {
  createRestoreRole,
  deleteRestoreRole,
  editRestoreRole,
  listRestoreRoles,
  type RestoreRoleDetail,
  readRestoreRole,
} from '@keepwatch/contract/restore/roles';
import { change } from '../../audit/change.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { newId } from '../../foundation/secrets.ts';
import type { RestoreServices } from '../restore-services.ts';
import { roleOfEntered } from './entered-role.ts';
import { findRole, insertRole, isNameInUse, listRoles, removeRole, updateRole } from './roles.ts';

/** Restore operator roles: made and changed by those who connect organizations. */
export function roleCalls(services: RestoreServices): Route[] {
  return [list, create(services), read, edit, drop];
}

const list = answer(listRestoreRoles, ({ database, scope }, { query }) => listRoles(database, scope, query));

const read = answer(readRestoreRole, async ({ database, scope }, { params }) => {
  const data = await findRole(database, scope, params.opRoleId);
  if (data === null) throw notFound('restore operator role');
  return { data };
});

function create(services: RestoreServices): Route {
  return answer(createRestoreRole, async (context, { params, body }) => {
    const { database, scope } = context;
    const organization = await services.findOrganization(scope, params.organizationId);
    if (organization === null) throw notFound('organization');
    const { providerId, companyId, id: organizationId } = organization;
    const content = await roleOfEntered(database, scope, companyId, body);
    const id = newId();
    const data = await change(context, { kind: 'restore-role' }, async (connection) => {
      const key = { providerId, id, companyId, organizationId };
      if (!(await insertRole(connection, key, content, context.now()))) throw nameInUse();
      const result = await findRole(connection, scope, id);
      return result === null ? null : { result, id, after: shownOf(result) };
    });
    return { data };
  });
}

const edit = answer(editRestoreRole, async (context, { params: { opRoleId: id }, body }) => {
  const { database, scope } = context;
  const found = await findRole(database, scope, id);
  if (found === null) throw notFound('restore operator role');
  const { organizationId } = found;
  const key = { providerId: scope.providerId, id };
  const content = await roleOfEntered(database, scope, found.companyId, body);
  const data = await change(context, { kind: 'restore-role', id }, async (connection) => {
    const before = await findRole(connection, scope, id);
    if (before === null) return null;
    const name = { id, name: content.name };
    if (await isNameInUse(connection, { providerId: scope.providerId, organizationId }, name)) throw nameInUse();
    await updateRole(connection, key, content);
    const result = await findRole(connection, scope, id);
    return result === null ? null : { result, before: shownOf(before), after: shownOf(result) };
  });
  return { data };
});

const drop = answer(deleteRestoreRole, async (context, { params: { opRoleId: id } }) => {
  await change(context, { kind: 'restore-role', id }, async (connection) => {
    const before = await findRole(connection, context.scope, id);
    if (before === null) return null;
    await removeRole(connection, { providerId: context.scope.providerId, id });
    return { result: null, before: shownOf(before) };
  });
  return {};
});

function nameInUse(): Refusal {
  const message = 'Another role of this organization has this name. Choose another one.';
  return new Refusal(409, 'CONFLICT', message, { errors: [{ path: 'body.name', message }] });
}

/** What the audit log says of a role: all of it, as it decides who may read what. */
function shownOf({ name, description, organizationName, roleType, ...rest }: RestoreRoleDetail) {
  const named = ({ type, id, name }: RestoreRoleDetail['selectedItems'][number]) => `${type} ${name || id}`;
  return {
    name,
    description,
    organization: organizationName,
    roleType,
    operators: rest.operators.map(({ username }) => username),
    selected: rest.selectedItems.map(named),
    excluded: rest.excludedItems.map(named),
  };
}
