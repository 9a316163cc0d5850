import { isRole } from '@keepwatch/contract/abilities';
import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import { USER_STATE_TEXTS } from '@keepwatch/contract/directory/users';
import type { CsvColumn } from '../foundation/http/replies/csv-export.ts';
import type { ListedUserRow } from './listed-users.ts';

/** What the file has of a user. */
export const USER_CSV: readonly CsvColumn<ListedUserRow>[] = [
  { key: 'name', header: 'Name' },
  { key: 'username', header: 'User name' },
  { key: 'email', header: 'E-mail' },
  { text: ({ roles }) => roles.map((role) => (isRole(role) ? ROLE_TEXTS[role] : role)).join(', '), header: 'Roles' },
  { text: ({ companies }) => companies?.map(({ name }) => name).join(', ') ?? 'All', header: 'Companies' },
  { text: ({ state }) => USER_STATE_TEXTS[state], header: 'State' },
  { key: 'createdAt', header: 'Added (UTC)' },
];
