import { Button } from '@mantine/core';
import { type o365Organizations, organizationWizard } from '../../entities/places.ts';
import { choiceField, textField, useUrlState } from '../../kit/address/url-state.ts';
import { SearchInput } from '../../kit/filters/search-input.tsx';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import type { FieldsOf } from '../../kit/place.ts';
import { useGo } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import styles from '../microsoft365.module.css';
import { COMPACT_ORGANIZATIONS, ORGANIZATION_COLUMNS } from './organization-columns.tsx';
import { OrganizationPanel } from './organization-panel.tsx';
import { ORGANIZATION_SORTS, useOrganizations } from './organizations.data.ts';

const FIELDS = {
  search: textField(),
  sort: choiceField(ORGANIZATION_SORTS, 'name'),
  open: textField(),
} satisfies FieldsOf<typeof o365Organizations>;

/** The connected organizations. A row opens its panel. */
export default function OrganizationsScreen() {
  const [filters, setFilters] = useUrlState(FIELDS);
  const { search, sort, open } = filters;
  const pages = useOrganizations(search, sort);
  const go = useGo();
  const connect = () => go(organizationWizard.at({ _splat: '1' }));
  const isEmpty = pages.count === 0 && search === '';
  return (
    <ListScreen
      label="Organizations"
      what="the organizations"
      columns={ORGANIZATION_COLUMNS}
      compact={COMPACT_ORGANIZATIONS}
      pages={pages}
      rowId={({ id }) => id}
      sort={sort}
      onSort={(next) => setFilters({ sort: next })}
      filters={
        <SearchInput label="Search organizations" value={search} onChange={(text) => setFilters({ search: text })} />
      }
      end={!isEmpty && <ListEnd count={pages.count} onConnect={connect} />}
      isNarrowed={search !== ''}
      noMatch={{
        title: 'No matching organization',
        text: `No organization name contains “${search}”.`,
        reset: 'Show all organizations',
      }}
      onReset={() => setFilters({ search: '' })}
      empty={<NoOrganizations onConnect={connect} />}
      open={{ id: open, change: (id) => setFilters({ open: id }) }}
      panel={open !== '' && <OrganizationPanel key={open} id={open} onClose={() => setFilters({ open: '' })} />}
    />
  );
}

function ListEnd({ count, onConnect }: { count: number | null; onConnect: () => void }) {
  return (
    <>
      <span className={styles.muted}>{formatCounted(count, 'organization', 'organizations')}</span>
      <Button variant="default" onClick={onConnect}>
        Connect organization
      </Button>
    </>
  );
}

function NoOrganizations({ onConnect }: { onConnect: () => void }) {
  return (
    <EmptyState
      title="No organizations yet"
      text="Connect a Microsoft 365 organization to back up its mail, files, sites and teams. It takes about two minutes."
    >
      <Button onClick={onConnect}>Connect organization</Button>
    </EmptyState>
  );
}
