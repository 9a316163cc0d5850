import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import { type ListedUser, type listUsers, USER_STATE_TEXTS } from '@keepwatch/contract/directory/users';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import type { Column } from '../kit/data-table/column.ts';
import { formatDateTime } from '../kit/format/dates.ts';

/** Who a user is, and what the user may do where. On a phone the name alone. */
export const USER_COLUMNS: readonly Column<ListedUser, SortOf<typeof listUsers>>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(130px, 1.5fr)',
    sort: 'name',
    cell: ({ name }) => <span title={name}>{name}</span>,
  },
  {
    key: 'username',
    title: 'User name',
    width: 'minmax(110px, 1fr)',
    sort: 'username',
    minTableWidthPx: 420,
    cell: ({ username }) => <span title={username}>{username}</span>,
  },
  {
    key: 'email',
    title: 'E-mail',
    width: 'minmax(150px, 1.5fr)',
    sort: 'email',
    minTableWidthPx: 900,
    cell: ({ email }) => <span title={email}>{email}</span>,
  },
  {
    key: 'roles',
    title: 'Roles',
    width: 'minmax(120px, 1fr)',
    minTableWidthPx: 560,
    cell: (user) => <span title={rolesText(user)}>{rolesText(user)}</span>,
  },
  {
    key: 'companyName',
    title: 'Companies',
    width: 'minmax(140px, 1.5fr)',
    sort: 'companyName',
    minTableWidthPx: 700,
    cell: (user) => <span title={user.companies?.map(({ name }) => name).join(', ')}>{companiesText(user)}</span>,
  },
  { key: 'state', title: 'State', width: '90px', sort: 'state', cell: ({ state }) => USER_STATE_TEXTS[state] },
  {
    key: 'createdAt',
    title: 'Added',
    width: '160px',
    sort: 'createdAt',
    minTableWidthPx: 1060,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
];

export function rolesText({ acl }: ListedUser): string {
  return acl.map(({ role }) => ROLE_TEXTS[role]).join(', ') || '–';
}

/** `All`, or the first company and how many others there are. */
function companiesText({ companies, companyName }: ListedUser): string {
  if (companies === null) return 'All';
  if (companyName === null) return 'None';
  return companies.length === 1 ? companyName : `${companyName} and ${companies.length - 1} more`;
}
