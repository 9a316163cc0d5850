import { ROLES } from '@keepwatch/contract/abilities';
import { USER_STATES } from '@keepwatch/contract/directory/users';
import { listField, textField } from '../kit/address/url-state.ts';
import { declareFilters, filter, type ValuesOfFilters } from '../kit/declare-filters.ts';

/** What narrows the users. */
export const usersFilters = declareFilters({
  role: filter(listField(ROLES), { asks: 'roles' }),
  state: filter(listField(USER_STATES), { asks: 'states' }),
  search: filter(textField(), { asks: 'search' }),
});

export type UsersFilters = ValuesOfFilters<typeof usersFilters>;
