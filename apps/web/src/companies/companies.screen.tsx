import { exportCompanies } from '@keepwatch/contract/companies/companies';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { type CompaniesFilters, companiesFilters } from '../entities/companies.ts';
import { useIsCompanyMissing } from '../entities/company-filter.data.ts';
import { useSharedCompany } from '../entities/company-scope.ts';
import { useMayChangeCompanies } from '../entities/new-company.data.ts';
import { type companies, companyPage, sources } from '../entities/places.ts';
import { SOURCE_GROUP_WORDS } from '../entities/source-groups.ts';
import { choiceField, useHasUnknown, useUrlState } from '../kit/address/url-state.ts';
import { ExportButton } from '../kit/export/export-button.tsx';
import { type CsvExport, useCsvExport } from '../kit/export/use-csv-export.ts';
import { Chip } from '../kit/filters/chip.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { formatBytes, formatCount } from '../kit/format/numbers.ts';
import { ListScreen } from '../kit/list/list-screen.tsx';
import { useLive } from '../kit/live/use-live.ts';
import type { FieldsOf } from '../kit/place.ts';
import { ScreenLink, useGo, useMayOpen } from '../kit/screen-link.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { COMPANY_SORTS, useCompanies, useWithoutCompany } from './companies.data.ts';
import styles from './companies.module.css';
import { COMPANY_COLUMNS } from './company-columns.tsx';

const CompanyDialog = lazy(() => import('./company-dialog.tsx'));
const DeletedCompanies = lazy(() => import('./deleted-companies.tsx'));

/** How many failed, then how many did not run, are doubtful, have a warning; then by name. */
const WORST_FIRST = '-trouble';

const FIELDS = {
  ...companiesFilters.fields,
  sort: choiceField(COMPANY_SORTS, WORST_FIRST),
} satisfies FieldsOf<typeof companies>;

/** All companies with the state of their jobs, those in trouble first. A row leads to the company's page. */
export default function CompaniesScreen() {
  const [filters, change] = useUrlState(FIELDS);
  const setFilters = useSharedCompany(change);
  const { search, sort } = filters;
  const go = useGo();
  const open = (id: string) => go(companyPage.at({ id }));
  const [isAdding, setAdding] = useState(false);
  const filter = companiesFilters.query(companiesFilters.settle(filters));
  const pages = useCompanies(filter, sort);
  const exported = useCsvExport(exportCompanies, {
    name: 'Companies',
    noun: pages.count === 1 ? 'company' : 'companies',
    input: { body: { format: 'csv', ...filter, sort } },
    count: pages.count,
  });
  const isBroken = useIsBroken(filters.company);
  const narrowing = narrowingText(filters);
  const mayAdd = useMayChangeCompanies();
  const add = mayAdd ? () => setAdding(true) : undefined;
  // Then the list itself leads on.
  const isEmpty = pages.count === 0 && search === '' && narrowing === null;
  useLive('executions.changed', ['companies']);
  useLive('companies.changed', ['companies']);
  return (
    <ListScreen
      label="Companies"
      what="the companies"
      columns={COMPANY_COLUMNS}
      pages={pages}
      rowId={(row) => row._id}
      sort={sort}
      onSort={(next) => setFilters({ sort: next })}
      filters={
        <>
          <SearchInput label="Search companies" value={search} onChange={(text) => setFilters({ search: text })} />
          {sort !== WORST_FIRST && (
            <Button variant="subtle" onClick={() => setFilters({ sort: WORST_FIRST })}>
              Worst first
            </Button>
          )}
          {narrowing !== null && (
            <Chip label={narrowing} onRemove={() => setFilters({ jobs: false, source: [], company: [] })} />
          )}
        </>
      }
      end={<ListEnd count={pages.count} exported={exported} onAdd={isEmpty ? undefined : add} />}
      isNarrowed={search !== '' || narrowing !== null}
      noMatch={{
        title: 'No matching company',
        text: search === '' ? 'Remove a filter to see more.' : `No company name contains “${search}”.`,
        reset: 'Show all companies',
      }}
      isBroken={isBroken}
      onReset={() => setFilters(companiesFilters.defaults)}
      empty={<NoCompanies onAdd={add} />}
      open={{ id: '', change: open }}
    >
      {isAdding && (
        <Suspense fallback={null}>
          <CompanyDialog
            onClose={() => setAdding(false)}
            onAdded={(id) => {
              setAdding(false);
              open(id);
            }}
          />
        </Suspense>
      )}
    </ListScreen>
  );
}

/** `undefined` for users who may not add companies. */
type Add = (() => void) | undefined;

function ListEnd({ count, exported, onAdd }: { count: number | null; exported: CsvExport; onAdd: Add }) {
  const withoutCompany = useWithoutCompany();
  return (
    <>
      <span className={styles.total} title="Jobs without a company are in the dashboard's figures, not in this list">
        {countText(count ?? 0, withoutCompany)}
      </span>
      <DeletedButton />
      <ExportButton exported={exported} count={count} />
      {onAdd !== undefined && (
        <Button variant="default" aria-label="Add company" onClick={onAdd}>
          Add<span className={styles.noun}>&nbsp;company</span>
        </Button>
      )}
    </>
  );
}

/** Opens the deleted companies, for users who may restore them. */
function DeletedButton() {
  const [isOpen, setOpen] = useState(false);
  if (!useMayChangeCompanies()) return null;
  return (
    <>
      <Button variant="subtle" aria-label="Deleted companies" onClick={() => setOpen(true)}>
        Deleted
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <DeletedCompanies onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function NoCompanies({ onAdd }: { onAdd: Add }) {
  const mayConnect = useMayOpen(sources);
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
      {mayConnect && <ScreenLink to={sources.at()}>Connect a console</ScreenLink>}
    </EmptyState>
  );
}

function countText(count: number, withoutCompany: ReturnType<typeof useWithoutCompany>): string {
  const companies = count === 1 ? '1 company' : `${formatCount(count)} companies`;
  if (withoutCompany == null || withoutCompany.jobs === 0) return companies;
  const { jobs, backupSizeBytes } = withoutCompany;
  const jobsText = jobs === 1 ? '1 job' : `${formatCount(jobs)} jobs`;
  return `${companies} · ${jobsText} without a company (${formatBytes(backupSizeBytes)})`;
}

/** `With Microsoft 365 jobs, 2 companies`; `null` where only the name narrows the list. */
function narrowingText({ jobs, source, company }: CompaniesFilters): string | null {
  const groups = source.map((group) => `${SOURCE_GROUP_WORDS[group]} `).join('or ');
  const parts = [
    ...(jobs ? [`With ${groups}jobs`] : []),
    ...(company.length === 0 ? [] : [company.length === 1 ? '1 company' : `${company.length} companies`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

function useIsBroken(companyIds: readonly string[]): boolean {
  const hasUnknown = useHasUnknown(FIELDS);
  const isMissing = useIsCompanyMissing(companyIds);
  return hasUnknown || isMissing;
}
