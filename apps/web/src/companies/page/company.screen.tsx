import type { CompanyDetail } from '@keepwatch/contract/companies/companies';
import { listFaults } from '@keepwatch/contract/faults/faults';
import { getSpreadsheetReport } from '@keepwatch/contract/insights/calendar';
import { listComputers } from '@keepwatch/contract/inventory/computers';
import { listRepositories } from '@keepwatch/contract/inventory/repositories';
import { listOrganizations } from '@keepwatch/contract/microsoft365/organizations';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { companies, companyPage } from '../../entities/places.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { useAllows } from '../../kit/portal.tsx';
import { ScreenLink, useGo, usePlaceParams } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { useCompany } from '../companies.data.ts';
import styles from './company.module.css';
import { CompanyHead } from './company-head.tsx';
import { RUNS_KEY } from './company-page.data.ts';
import { ComputersSection } from './computers-section.tsx';
import { ContactsSection } from './contacts-section.tsx';
import { DetailsSection } from './details-section.tsx';
import { FaultsSection } from './faults-section.tsx';
import { MonthSection } from './month-section.tsx';
import { NotesSection } from './notes-section.tsx';
import { OrganizationsSection } from './organizations-section.tsx';
import { RepositoriesSection } from './repositories-section.tsx';
import { UsersSection } from './users-section.tsx';

/** Everything about one company. */
export default function CompanyScreen() {
  const { id } = usePlaceParams(companyPage);
  const { data, error, refetch } = useCompany(id);
  useLive('executions.changed', [...RUNS_KEY, id]);
  useLive('executions.changed', ['companies', 'one', id]);
  useLive('companies.changed', ['companies']);
  if (data !== undefined) return <CompanyPage key={id} company={data} />;
  if (error === null) return <SkeletonRows rows={12} />;
  if (isUnknown(error))
    return (
      <EmptyState title="No such company" text="It may have been deleted, or you may not have access to it.">
        <ScreenLink to={companies.at()}>Show all companies</ScreenLink>
      </EmptyState>
    );
  return <ErrorState what="this company" error={error} onRetry={() => void refetch()} />;
}

/** What an address names that is no id, or that of no company of the user. */
function isUnknown(error: unknown): boolean {
  return error instanceof CallFailed && (error.status === 404 || error.status === 422);
}

/** Parts that the user may not see are not there. */
function CompanyPage({ company }: { company: CompanyDetail }) {
  const go = useGo();
  const seesMonth = useAllows(getSpreadsheetReport.access);
  const seesFaults = useAllows(listFaults.access);
  const seesRepositories = useAllows(listRepositories.access);
  const seesComputers = useAllows(listComputers.access);
  const seesOrganizations = useAllows(listOrganizations.access);
  const { _id: id } = company;
  return (
    <div className={styles.page}>
      <CompanyHead company={company} />
      <div className={styles.sections}>
        {seesFaults && <FaultsSection company={company} />}
        {seesMonth && <MonthSection id={id} />}
        {seesRepositories && <RepositoriesSection id={id} />}
        {seesComputers && <ComputersSection id={id} />}
        {seesOrganizations && <OrganizationsSection id={id} />}
        <NotesSection id={id} />
        <ContactsSection id={id} />
        <UsersSection id={id} />
        <DetailsSection company={company} onDeleted={() => go(companies.at(), { replace: true })} />
      </div>
    </div>
  );
}
