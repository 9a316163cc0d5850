import { Button } from '@mantine/core';
import { type operatorRoles, operatorRoleWizard } from '../../entities/places.ts';
import { choiceField, textField, useUrlState } from '../../kit/address/url-state.ts';
import { SearchInput } from '../../kit/filters/search-input.tsx';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import type { FieldsOf } from '../../kit/place.ts';
import { useGo } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import styles from '../microsoft365.module.css';
import { ROLE_COLUMNS } from './role-columns.tsx';
import { RolePanel } from './role-panel.tsx';
import { ROLE_SORTS, useRoles } from './roles.data.ts';

const FIELDS = {
  search: textField(),
  sort: choiceField(ROLE_SORTS, 'name'),
  open: textField(),
} satisfies FieldsOf<typeof operatorRoles>;

/** The restore operator roles of all organizations. A row opens its panel. */
export default function RolesScreen() {
  const [{ search, sort, open }, setFilters] = useUrlState(FIELDS);
  const pages = useRoles(search, sort);
  const go = useGo();
  const create = () => go(operatorRoleWizard.at({ step: '1' }));
  const isEmpty = pages.count === 0 && search === '';
  return (
    <ListScreen
      label="Restore operator roles"
      what="the roles"
      columns={ROLE_COLUMNS}
      pages={pages}
      rowId={({ id }) => id}
      sort={sort}
      onSort={(next) => setFilters({ sort: next })}
      filters={<SearchInput label="Search roles" value={search} onChange={(text) => setFilters({ search: text })} />}
      end={
        !isEmpty && (
          <>
            <span className={styles.muted}>{formatCounted(pages.count, 'role', 'roles')}</span>
            <Button variant="default" onClick={create}>
              Create role
            </Button>
          </>
        )
      }
      isNarrowed={search !== ''}
      noMatch={{ title: 'No matching role', text: `No role contains “${search}”.`, reset: 'Show all roles' }}
      onReset={() => setFilters({ search: '' })}
      empty={
        <EmptyState
          title="No restore operator roles yet"
          text="Set up a restore operator if you want a user to restore data for other users."
        >
          <Button onClick={create}>Create role</Button>
        </EmptyState>
      }
      open={{ id: open, change: (id) => setFilters({ open: id }) }}
      panel={open !== '' && <RolePanel key={open} id={open} onClose={() => setFilters({ open: '' })} />}
    />
  );
}
