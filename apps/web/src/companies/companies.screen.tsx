import { listSources } from '@keepwatch/contract/monitoring/sources';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { DataTable } from '../kit/data-table/data-table.tsx';
import { FilterBar } from '../kit/filters/filter-bar.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { formatCount } from '../kit/format/numbers.ts';
import { useMayCreateCompany } from '../kit/new-company.data.ts';
import { useAllows } from '../kit/portal.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { choiceField, textField, useUrlState } from '../kit/url-state.ts';
import { useLive } from '../kit/use-live.ts';
import { COMPANY_SORTS, useCompanies } from './companies.data.ts';
import styles from './companies.module.css';
import { COMPANY_COLUMNS } from './company-columns.tsx';
import { CompanyPanel } from './company-panel.tsx';

const CompanyDialog = lazy(() => import('./company-dialog.tsx'));

const FIELDS = {
  search: textField(),
  sort: choiceField(COMPANY_SORTS, 'name'),
  /** Id of the company whose panel is open. */
  open: textField(),
};

/** All companies with the state of their jobs. A row opens its panel. */
export default function CompaniesScreen() {
  const [{ search, sort, open }, setFilters] = useUrlState(FIELDS);
  const [isAdding, setAdding] = useState(false);
  const pages = useCompanies(search, sort);
  const mayAdd = useMayCreateCompany();
  const add = mayAdd ? () => setAdding(true) : undefined;
  // Then the list itself leads on.
  const isEmpty = pages.count === 0 && search === '';
  useLive('executions.changed', ['companies']);
  useLive('companies.changed', ['companies']);
  return (
    <div className={styles.screen}>
      <FilterBar end={pages.count !== null && <ListEnd count={pages.count} onAdd={isEmpty ? undefined : add} />}>
        <SearchInput label="Search companies" value={search} onChange={(text) => setFilters({ search: text.trim() })} />
      </FilterBar>
      <div className={styles.split}>
        <DataTable
          label="Companies"
          what="the companies"
          columns={COMPANY_COLUMNS}
          pages={pages}
          rowId={(row) => row._id}
          sort={sort}
          onSort={(text) => setFilters({ sort: COMPANY_SORTS.find((known) => known === text) ?? 'name' })}
          onOpen={(row) => setFilters({ open: row._id })}
          openId={open === '' ? null : open}
          empty={<NoCompanies search={search} onClear={() => setFilters({ search: '' })} onAdd={add} />}
        />
        {open !== '' && <CompanyPanel key={open} id={open} onClose={() => setFilters({ open: '' })} />}
      </div>
      {isAdding && (
        <Suspense fallback={null}>
          <CompanyDialog
            onClose={() => setAdding(false)}
            onAdded={(id) => {
              setAdding(false);
              setFilters({ open: id });
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** `undefined` for whoever may not add companies. */
type Add = (() => void) | undefined;

function ListEnd({ count, onAdd }: { count: number; onAdd: Add }) {
  return (
    <>
      <span className={styles.total}>{countText(count)}</span>
      {onAdd !== undefined && (
        <Button variant="default" aria-label="Add company" onClick={onAdd}>
          Add<span className={styles.noun}>&nbsp;company</span>
        </Button>
      )}
    </>
  );
}

function NoCompanies({ search, onClear, onAdd }: { search: string; onClear: () => void; onAdd: Add }) {
  const mayConnect = useAllows(listSources.access);
  if (search !== '') {
    return (
      <EmptyState title="No matching company" text={`No company name contains “${search}”.`}>
        <Button variant="default" onClick={onClear}>
          Show all companies
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No companies yet"
      text={
        onAdd === undefined
          ? 'Companies from connected consoles are added automatically.'
          : 'Companies from connected consoles are added automatically. Add a company that reports through a token.'
      }
    >
      {onAdd !== undefined && (
        <Button variant="default" onClick={onAdd}>
          Add company
        </Button>
      )}
      {mayConnect && <Link to="/monitoring/sources">Connect a console</Link>}
    </EmptyState>
  );
}

function countText(count: number): string {
  return count === 1 ? '1 company' : `${formatCount(count)} companies`;
}
