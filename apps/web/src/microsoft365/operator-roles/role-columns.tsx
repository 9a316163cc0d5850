import type { listRestoreRoles, RestoreRole } from '@keepwatch/contract/restore/roles';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import type { Column } from '../../kit/data-table/column.ts';
import { coverageText, operatorsText } from './role-words.ts';

export const ROLE_COLUMNS: readonly Column<RestoreRole, SortOf<typeof listRestoreRoles>>[] = [
  {
    key: 'name',
    title: 'Role',
    width: 'minmax(140px, 1.2fr)',
    sort: 'name',
    cell: ({ name, description }) => <span title={description || name}>{name}</span>,
  },
  {
    key: 'organization',
    title: 'Organization',
    width: 'minmax(120px, 1fr)',
    sort: 'organizationName',
    minTableWidthPx: 620,
    cell: ({ organizationName }) => <span title={organizationName}>{organizationName}</span>,
  },
  {
    key: 'operators',
    title: 'Operators',
    width: 'minmax(120px, 1fr)',
    cell: (role) => <span title={operatorsText(role)}>{operatorsText(role)}</span>,
  },
  {
    key: 'coverage',
    title: 'May restore',
    width: 'minmax(150px, 1.4fr)',
    minTableWidthPx: 480,
    cell: (role) => <span title={coverageText(role)}>{coverageText(role)}</span>,
  },
];
