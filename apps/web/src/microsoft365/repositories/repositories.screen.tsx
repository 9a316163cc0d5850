import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { OrganizationChoice } from '../../entities/organization-choice.tsx';
import { useOrganizationNames } from '../../entities/organizations.data.ts';
import { type o365Repositories, organizationWizard } from '../../entities/places.ts';
import { textField, useUrlState } from '../../kit/address/url-state.ts';
import { queriedList } from '../../kit/data-table/pages.ts';
import { SearchInput } from '../../kit/filters/search-input.tsx';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import type { FieldsOf } from '../../kit/place.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import styles from '../microsoft365.module.css';
import { REPOSITORIES_KEY, useRepositories } from './repositories.data.ts';
import { COMPACT_REPOSITORIES, REPOSITORY_COLUMNS } from './repository-columns.tsx';
import { RepositoryPanel } from './repository-panel.tsx';

const RepositoryDialog = lazy(() => import('./repository-dialog.tsx'));

const FIELDS = {
  search: textField(),
  organization: textField(),
  open: textField(),
} satisfies FieldsOf<typeof o365Repositories>;

/** Where backups are stored, with how much is used. A row opens its panel. */
export default function RepositoriesScreen() {
  const [filters, setFilters] = useUrlState(FIELDS);
  const { search, organization, open } = filters;
  const [isAdding, setAdding] = useState(false);
  const read = useRepositories();
  const rows = read.data?.filter(
    ({ name, path, organizationId }) =>
      `${name} ${path}`.toLowerCase().includes(search.toLowerCase()) &&
      (organization === '' || organizationId === organization),
  );
  useLive('m365-repositories.changed', REPOSITORIES_KEY);
  const isEmpty = read.data?.length === 0;
  const isNarrowed = !isEmpty && (search !== '' || organization !== '');
  const add = () => setAdding(true);
  return (
    <ListScreen
      label="Repositories"
      what="the repositories"
      columns={REPOSITORY_COLUMNS}
      compact={COMPACT_REPOSITORIES}
      pages={queriedList(read, rows, JSON.stringify([search, organization]))}
      rowId={({ id }) => id}
      filters={
        <>
          <SearchInput label="Search repositories" value={search} onChange={(text) => setFilters({ search: text })} />
          <OrganizationChoice
            organizationId={organization === '' ? null : organization}
            onChange={(id) => setFilters({ organization: id ?? '' })}
          />
        </>
      }
      end={!isEmpty && <ListEnd count={rows?.length ?? 0} onAdd={add} />}
      isNarrowed={isNarrowed}
      noMatch={{
        title: 'No matching repository',
        text: search === '' ? 'Remove a filter to see more.' : `No repository contains “${search}”.`,
        reset: 'Show all repositories',
      }}
      onReset={() => setFilters({ search: '', organization: '' })}
      empty={<NoRepositories onAdd={add} />}
      open={{ id: open, change: (id) => setFilters({ open: id }) }}
      panel={
        open !== '' && <RepositoryPanel key={open} id={open} read={read} onClose={() => setFilters({ open: '' })} />
      }
    >
      {isAdding && (
        <Suspense fallback={null}>
          <RepositoryDialog
            organizationId={organization === '' ? null : organization}
            onClose={() => setAdding(false)}
            onMade={(id) => {
              setAdding(false);
              setFilters({ open: id });
            }}
          />
        </Suspense>
      )}
    </ListScreen>
  );
}

function ListEnd({ count, onAdd }: { count: number; onAdd: () => void }) {
  return (
    <>
      <span className={styles.muted}>{formatCounted(count, 'repository', 'repositories')}</span>
      <Button variant="default" onClick={onAdd}>
        Create repository
      </Button>
    </>
  );
}

function NoRepositories({ onAdd }: { onAdd: () => void }) {
  const { data } = useOrganizationNames();
  if (data?.length === 0)
    return (
      <EmptyState title="No repositories yet" text="A repository belongs to an organization: connect one first.">
        <ScreenLink to={organizationWizard.at({ _splat: '1' })}>Connect organization</ScreenLink>
      </EmptyState>
    );
  return (
    <EmptyState title="No repositories yet" text="Create a folder or a bucket that backups are stored in, encrypted.">
      <Button onClick={onAdd}>Create repository</Button>
    </EmptyState>
  );
}
