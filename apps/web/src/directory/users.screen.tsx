import { ROLES } from '@keepwatch/contract/abilities';
import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import { exportUsers, USER_STATE_TEXTS, USER_STATES } from '@keepwatch/contract/directory/users';
import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { users } from '../entities/places.ts';
import { usersFilters } from '../entities/users.ts';
import { choiceField, flagField, textField, useHasUnknown, useUrlState } from '../kit/address/url-state.ts';
import { ExportButton } from '../kit/export/export-button.tsx';
import { useCsvExport } from '../kit/export/use-csv-export.ts';
import { ChoiceFilter } from '../kit/filters/choice-filter.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { formatCounted } from '../kit/format/numbers.ts';
import { ListScreen } from '../kit/list/list-screen.tsx';
import type { FieldsOf } from '../kit/place.ts';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { USER_COLUMNS } from './user-columns.tsx';
import { UserPanel } from './user-panel.tsx';
import { USER_SORTS, useUsers } from './users.data.ts';
import styles from './users.module.css';

const AddUser = lazy(() => import('./add-user.tsx'));

const FIELDS = {
  ...usersFilters.fields,
  sort: choiceField(USER_SORTS, 'name'),
  open: textField(),
  add: flagField(),
} satisfies FieldsOf<typeof users>;

const ROLE_CHOICES = ROLES.map((value) => ({ value, label: ROLE_TEXTS[value] }));
const STATE_CHOICES = USER_STATES.map((value) => ({ value, label: USER_STATE_TEXTS[value] }));

/** Who has an account, with which roles and for which companies. A row opens its panel. */
export default function UsersScreen() {
  const [values, setValues] = useUrlState(FIELDS);
  const { role, state, search, sort, open, add } = values;
  const setAdding = (isAdding: boolean) => setValues({ add: isAdding });
  const pages = useUsers(values, sort);
  const exported = useCsvExport(exportUsers, {
    name: 'Users',
    noun: pages.count === 1 ? 'user' : 'users',
    input: { query: { ...usersFilters.query(values), sort } },
    count: pages.count,
  });
  return (
    <ListScreen
      label="Users"
      what="the users"
      columns={USER_COLUMNS}
      pages={pages}
      rowId={(user) => user._id}
      sort={sort}
      onSort={(next) => setValues({ sort: next })}
      filters={
        <>
          <ChoiceFilter
            label="Role"
            choices={ROLE_CHOICES}
            values={role}
            onChange={(next) => setValues({ role: next })}
          />
          <ChoiceFilter
            label="State"
            choices={STATE_CHOICES}
            values={state}
            onChange={(next) => setValues({ state: next })}
          />
          <SearchInput label="Search users" value={search} onChange={(text) => setValues({ search: text })} />
        </>
      }
      end={
        <>
          <span>{formatCounted(pages.count, 'user', 'users')}</span>
          <ExportButton exported={exported} count={pages.count} />
          <Button variant="default" aria-label="Add user" onClick={() => setAdding(true)}>
            Add<span className={styles.noun}>&nbsp;user</span>
          </Button>
        </>
      }
      isNarrowed={role.length > 0 || state.length > 0 || search !== ''}
      noMatch={{ title: 'No matching user', text: 'Remove a filter to see more.', reset: 'Show all users' }}
      isBroken={useHasUnknown(FIELDS)}
      onReset={() => setValues(usersFilters.defaults)}
      empty={<EmptyState title="No users" text="Users who are limited to your companies are listed here." />}
      open={{ id: open, change: (id) => setValues({ open: id }) }}
      panel={open !== '' && <UserPanel key={open} id={open} onClose={() => setValues({ open: '' })} />}
    >
      {add && (
        <Suspense fallback={null}>
          <AddUser onClose={() => setAdding(false)} onAdded={(id) => setValues({ add: false, open: id })} />
        </Suspense>
      )}
    </ListScreen>
  );
}
