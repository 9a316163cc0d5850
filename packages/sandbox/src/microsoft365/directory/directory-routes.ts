import { listedGroups, listedMembers, listedUsers } from '../behaviours/lagging-lists.ts';
import { type CollectionOptions, collectionReply } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { resourceNotFound } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { userIdOf } from './build-directory.ts';
import {
  domainJson,
  groupJson,
  licenceDetailsJson,
  memberJson,
  organizationJson,
  skusJson,
  userDefaults,
  userJson,
} from './directory-json.ts';

const userPermissions = ['User.Read.All', 'User.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All'];
const groupPermissions = ['Group.Read.All', 'Group.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All'];
const memberPermissions = ['GroupMember.Read.All', 'GroupMember.ReadWrite.All', ...groupPermissions];
const organizationPermissions = [
  'Organization.Read.All',
  'User.Read.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];

const users: CollectionOptions = { context: 'users', defaults: userDefaults, always: [] };
const groups: CollectionOptions = { context: 'groups', always: [] };
const members: CollectionOptions = { context: 'directoryObjects', always: ['id', '@odata.type'] };

/** `$count` and `$search` of the directory want to hear that the answer may be behind. */
function checkConsistency(call: GraphCall): void {
  const isAdvanced =
    call.query.has('$search') || / ne | not |endswith\(|\$count/i.test(call.query.get('$filter') ?? '');
  if (!isAdvanced || call.headers['consistencylevel']?.toLowerCase() === 'eventual') return;
  throw new GraphError(
    400,
    'Request_UnsupportedQuery',
    'Request with $search, $count or an advanced filter only works with the header ConsistencyLevel: eventual.',
  );
}

function listUsers(call: GraphCall): GraphReply {
  checkConsistency(call);
  return collectionReply(call, listedUsers(call.tenant).map(userJson), users);
}

function listGroups(call: GraphCall): GraphReply {
  checkConsistency(call);
  return collectionReply(call, listedGroups(call.tenant).map(groupJson), groups);
}

/** The log contains both users and groups; each delta reports its own kind. */
function usersDelta(call: GraphCall): GraphReply {
  const { directory, directoryChanges } = call.tenant;
  return deltaReply(
    call,
    {
      changes: directoryChanges,
      isOwn: (id) => directory.knowsUser(id),
      read: (id) => {
        const user = directory.findUser(id);
        return user && userJson(user);
      },
      removed: (id) => removed(call, id),
      goneCode: 'SyncStateNotFound',
    },
    { ...users, always: ['id'] },
  );
}

function groupsDelta(call: GraphCall): GraphReply {
  const { directory, directoryChanges } = call.tenant;
  return deltaReply(
    call,
    {
      changes: directoryChanges,
      isOwn: (id) => directory.knowsGroup(id),
      read: (id) => {
        const group = directory.findGroup(id);
        if (!group) return undefined;
        const delta = group.memberIds.flatMap((member) => memberJson(call.tenant, member));
        const names = delta.map(({ '@odata.type': type, id: memberId }) => ({ '@odata.type': type, id: memberId }));
        return { ...groupJson(group), 'members@delta': names };
      },
      removed: (id) => removed(call, id),
      goneCode: 'SyncStateNotFound',
    },
    { ...groups, always: ['id', 'members@delta'] },
  );
}

/** What can be restored is `changed`, what is gone for good `deleted`. */
function removed(call: GraphCall, id: string) {
  return { id, '@removed': { reason: call.tenant.directory.isInBin(id) ? 'changed' : 'deleted' } };
}

function listMembers(call: GraphCall, ids: readonly string[]): GraphReply {
  return collectionReply(
    call,
    listedMembers(call.tenant, ids).flatMap((id) => memberJson(call.tenant, id)),
    members,
  );
}

function transitiveMembers(call: GraphCall): GraphReply {
  const { directory } = call.tenant;
  const seen = new Set<string>();
  const visit = (ids: readonly string[]) => {
    for (const id of ids) {
      if (seen.has(id)) continue;
      seen.add(id);
      visit(directory.findGroup(id)?.memberIds ?? []);
    }
  };
  visit(groupOf(call).memberIds);
  return listMembers(call, [...seen]);
}

/** https://learn.microsoft.com/entra/identity/role-based-access-control/permissions-reference#global-administrator */
const GLOBAL_ADMINISTRATOR = {
  id: 'f2a2b5f6-7d6e-4a58-a5a0-5d1a1a4a7c11',
  displayName: 'Global Administrator',
  roleTemplateId: '62e90394-69f5-4237-9190-012177145e10',
};

/** The first user of the tenant is its administrator. */
function directoryRoles(call: GraphCall): GraphReply {
  const isAdministrator = userOf(call).id === userIdOf(call.tenant.seed, 0);
  return collectionReply(call, isAdministrator ? [GLOBAL_ADMINISTRATOR] : [], { context: 'directoryRoles' });
}

const userOf = (call: GraphCall) => call.tenant.directory.user(call.params['user'] ?? '');
const groupOf = (call: GraphCall) => call.tenant.directory.group(call.params['group'] ?? '');

function organization(call: GraphCall): GraphReply {
  const id = call.params['organization'];
  if (id !== undefined && id !== call.tenant.id) throw resourceNotFound(id);
  return entityReply(call, organizationJson(call.tenant), { context: 'organization/$entity' });
}

export const directoryRoutes: readonly GraphRoute[] = [
  { method: 'GET', path: '/users', permissions: userPermissions, handle: listUsers },
  { method: 'GET', path: '/users/delta()', permissions: userPermissions, handle: usersDelta },
  {
    method: 'GET',
    path: '/users/{user}',
    permissions: [...userPermissions, 'User.Read'],
    handle: (call) => entityReply(call, userJson(userOf(call)), { ...users, context: 'users/$entity' }),
  },
  {
    method: 'GET',
    path: '/users/{user}/licenseDetails',
    permissions: ['LicenseAssignment.Read.All', ...userPermissions],
    handle: (call) => collectionReply(call, licenceDetailsJson(userOf(call)), { context: 'licenseDetails' }),
  },
  {
    method: 'GET',
    path: '/users/{user}/memberOf',
    permissions: memberPermissions,
    handle: (call) =>
      listMembers(
        call,
        call.tenant.directory.groupsOf(userOf(call).id).map(({ id }) => id),
      ),
  },
  {
    method: 'GET',
    path: '/users/{user}/transitiveMemberOf/microsoft.graph.directoryRole',
    permissions: ['RoleManagement.Read.Directory', 'Directory.Read.All'],
    handle: directoryRoles,
  },
  { method: 'GET', path: '/groups', permissions: memberPermissions, handle: listGroups },
  { method: 'GET', path: '/groups/delta()', permissions: memberPermissions, handle: groupsDelta },
  {
    method: 'GET',
    path: '/groups/{group}',
    permissions: memberPermissions,
    handle: (call) => entityReply(call, groupJson(groupOf(call)), { ...groups, context: 'groups/$entity' }),
  },
  {
    method: 'GET',
    path: '/groups/{group}/members',
    permissions: memberPermissions,
    handle: (call) => listMembers(call, groupOf(call).memberIds),
  },
  {
    method: 'GET',
    path: '/groups/{group}/owners',
    permissions: memberPermissions,
    handle: (call) => listMembers(call, groupOf(call).ownerIds),
  },
  {
    method: 'GET',
    path: '/groups/{group}/transitiveMembers',
    permissions: memberPermissions,
    handle: transitiveMembers,
  },
  {
    method: 'GET',
    path: '/organization',
    permissions: organizationPermissions,
    handle: (call) => collectionReply(call, [organizationJson(call.tenant)], { context: 'organization' }),
  },
  { method: 'GET', path: '/organization/{organization}', permissions: organizationPermissions, handle: organization },
  {
    method: 'GET',
    path: '/domains',
    permissions: ['Domain.Read.All', 'Directory.Read.All'],
    handle: (call) => collectionReply(call, [domainJson(call.tenant)], { context: 'domains' }),
  },
  {
    method: 'GET',
    path: '/subscribedSkus',
    permissions: ['LicenseAssignment.Read.All', ...organizationPermissions],
    handle: (call) => collectionReply(call, skusJson(call.tenant), { context: 'subscribedSkus' }),
  },
];
