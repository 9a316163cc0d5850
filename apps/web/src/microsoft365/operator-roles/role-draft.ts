import type { RestoreRoleDetail, RoleItem, RoleType } from '@keepwatch/contract/restore/roles';
import type { RoleBody } from './roles.data.ts';

/** A role while it is filled in. */
export interface RoleDraft {
  name: string;
  description: string;
  organizationId: string | null;
  operators: readonly { id: string }[];
  roleType: RoleType;
  selectedItems: readonly RoleItem[];
  excludedItems: readonly RoleItem[];
}

export function newRole(organizationId: string | null): RoleDraft {
  return {
    name: '',
    description: '',
    organizationId,
    operators: [],
    roleType: 'SpecificObjects',
    selectedItems: [],
    excludedItems: [],
  };
}

/** The draft of a role that is changed. */
export function draftOf(role: RestoreRoleDetail): RoleDraft {
  const { name, description, organizationId, roleType, selectedItems, excludedItems } = role;
  const operators = role.operators.map(({ id }) => ({ id }));
  return { name, description, organizationId, operators, roleType, selectedItems, excludedItems };
}

/** The body for a draft. */
export function bodyOf({ organizationId: _, name, description, ...draft }: RoleDraft): RoleBody {
  const isWhole = draft.roleType === 'EntireOrganization';
  return {
    name: name.trim(),
    description: description.trim(),
    roleType: draft.roleType,
    operators: [...draft.operators],
    selectedItems: isWhole ? [] : [...draft.selectedItems],
    excludedItems: [...draft.excludedItems],
  };
}
