import * as z from 'zod/mini';
import { objectId } from '../microsoft365/organizations.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, nameText, text } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';

/** Restore operator roles: who may look into and restore what of an organization. */

/** Changing roles is for those who connect organizations; operators never see them, as they name what is excluded. */
const access = 'o365.organizations' as const;

export const ROLE_TYPES = ['EntireOrganization', 'SpecificObjects'] as const;
export type RoleType = (typeof ROLE_TYPES)[number];

/**
 * A user with the OneDrive and the archive; a group with its members; a team with its conversations, files and site; a site with its lists,
 * libraries and the sites below it.
 */
export const ROLE_ITEM_TYPES = ['User', 'Group', 'Team', 'Site'] as const;
export type RoleItemType = (typeof ROLE_ITEM_TYPES)[number];

/** Items and operators of one role. More is a group. */
export const ROLE_ITEMS_MAX = 1_000;

const roleItem = z.strictObject({ type: z.enum(ROLE_ITEM_TYPES), id: objectId, name: z._default(text(400), '') });
const roleItems = z.array(roleItem).check(z.maxLength(ROLE_ITEMS_MAX));
export type RoleItem = z.infer<typeof roleItem>;

const enteredRole = {
  name: nameText(200),
  description: z._default(text(1_000), ''),
  roleType: z.enum(ROLE_TYPES),
  /** Users of this portal whose role is restore operator. */
  operators: z
    .array(z.object({ id }))
    .check(z.minLength(1, 'must have at least one operator'), z.maxLength(ROLE_ITEMS_MAX)),
  /** Of `SpecificObjects`. */
  selectedItems: z._default(roleItems, []),
  /** What is not shown and not restored, even if it is part of what is selected. */
  excludedItems: z._default(roleItems, []),
};

const operator = z.object({ id, name: z.string(), username: z.string() });

const shownRole = z.object({
  id,
  name: z.string(),
  description: z.string(),
  companyId: id,
  organizationId: id,
  organizationName: z.string(),
  roleType: z.enum(ROLE_TYPES),
  operators: z.array(operator),
});

/** In a list: of the items only how many. */
export const restoreRole = entity(
  'RestoreRole',
  z.extend(shownRole, { selectedCount: z.int(), excludedCount: z.int() }),
);
export type RestoreRole = z.infer<typeof restoreRole>;

export const restoreRoleDetail = entity(
  'RestoreRoleDetail',
  z.extend(shownRole, { selectedItems: z.array(roleItem), excludedItems: z.array(roleItem) }),
);
export type RestoreRoleDetail = z.infer<typeof restoreRoleDetail>;

export const listRestoreRoles = declareCall({
  method: 'GET',
  path: '/o365/organizations/restore-roles',
  access,
  ...listOf(restoreRole, {
    sorts: ['name', 'organizationName'],
    query: { companyId: z.optional(id), organizationId: z.optional(id), search: z.optional(text(200)) },
  }),
  failure: 'The restore operator roles could not be read. Try again later.',
  summary: 'Restore operator roles of all organizations.',
});

export const createRestoreRole = declareCall({
  method: 'POST',
  path: '/o365/organizations/{organizationId}/restore-roles',
  access,
  audit: 'restore-role.create',
  params: z.strictObject({ organizationId: id }),
  body: z.strictObject(enteredRole),
  bodyBytesMax: 4 * 2 ** 20,
  ...itemOf(restoreRoleDetail),
  failure: 'The restore operator role could not be created. Try again later.',
  summary:
    'Lets users restore what is selected of an organization, and nothing else. It applies from the next request on.',
});

const params = z.strictObject({ opRoleId: id });

export const readRestoreRole = declareCall({
  method: 'GET',
  path: '/o365/restore-roles/{opRoleId}',
  access,
  params,
  ...itemOf(restoreRoleDetail),
  failure: 'The restore operator role could not be read. Try again later.',
  summary: 'A restore operator role with what it selects and excludes.',
});

export const editRestoreRole = declareCall({
  method: 'PUT',
  path: '/o365/restore-roles/{opRoleId}',
  access,
  audit: 'restore-role.edit',
  params,
  body: z.strictObject(enteredRole),
  bodyBytesMax: 4 * 2 ** 20,
  ...itemOf(restoreRoleDetail),
  failure: 'The restore operator role could not be changed. Try again later.',
  summary: 'Changes a restore operator role, also for sessions that are open.',
});

export const deleteRestoreRole = declareCall({
  method: 'DELETE',
  path: '/o365/restore-roles/{opRoleId}',
  access,
  audit: 'restore-role.delete',
  params,
  ...done,
  failure: 'The restore operator role could not be removed. Try again later.',
  summary: 'Removes a restore operator role: its operators see no more than their other roles show.',
});
