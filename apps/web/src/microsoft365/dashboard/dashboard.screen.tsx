import { useHasJobs, useOrganizationNames } from '../../entities/organizations.data.ts';
import { jobWizard, organizationWizard } from '../../entities/places.ts';
import { useUrlState } from '../../kit/address/url-state.ts';
import grid from '../../kit/dashboard/dashboard.module.css';
import { dateRangeField } from '../../kit/date-range/date-range-field.ts';
import { DateRangePicker } from '../../kit/date-range/date-range-picker.tsx';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { LICENSE_RANGE, useLicenseDays } from '../licensing/license-range.ts';
import { ActivityPanel } from './activity-panel.tsx';
import { AgesPanel } from './ages-panel.tsx';
import {
  DASHBOARD_KEY,
  useBackupStatus,
  useHighestStorageUsers,
  useLicenseActivity,
  useLicenses,
  useRetention,
  useUserFigures,
} from './dashboard.data.ts';
import { JobsPanel } from './jobs-panel.tsx';
import { PeoplePanel } from './people-panel.tsx';
import { ProofsPanel } from './proofs-panel.tsx';
import { useObjectAges, useProtectedPeople, useProvedJobs } from './protection.data.ts';
import { LicensesPanel, StoragePanel } from './rankings.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { RunsPanel } from './runs-panel.tsx';
import { UsersPanel } from './users-panel.tsx';

const FIELDS = { date: dateRangeField(LICENSE_RANGE) };

/** Whether everybody is backed up, lately, and restorable; then runs, storage and licences. Each panel loads on its own. */
export default function DashboardScreen() {
  const { data: organizations } = useOrganizationNames();
  const { data: hasJobs } = useHasJobs(true);
  if (organizations?.length === 0)
    return (
      <EmptyState
        title="No organizations yet"
        text="Connect a Microsoft 365 organization to back up its mail, files, sites and teams. It takes about two minutes."
      >
        <ScreenLink to={organizationWizard.at({ _splat: '1' })}>Connect organization</ScreenLink>
      </EmptyState>
    );
  if (hasJobs === false)
    return (
      <EmptyState title="No jobs yet" text="A job says what of your organization is backed up, where to, and when.">
        <ScreenLink to={jobWizard.at({ step: '1' })}>Create job</ScreenLink>
      </EmptyState>
    );
  return <Panels />;
}

function Panels() {
  const [{ date }, setValues] = useUrlState(FIELDS);
  const days = useLicenseDays(date);
  const status = useBackupStatus(days);
  useLive('m365-jobs.changed', DASHBOARD_KEY);
  useLive('m365-repositories.changed', DASHBOARD_KEY);
  return (
    <div className={grid.dashboard}>
      <div className={grid.panels}>
        <PeoplePanel reading={useProtectedPeople()} />
        <AgesPanel reading={useObjectAges()} />
        <ProofsPanel reading={useProvedJobs()} />
      </div>
      <div className={grid.filters}>
        <FilterBar>
          <DateRangePicker value={date} onChange={(next) => setValues({ date: next })} />
        </FilterBar>
      </div>
      <div className={grid.panels}>
        <JobsPanel reading={status} />
        <UsersPanel reading={useUserFigures()} />
        <RetentionPanel reading={useRetention()} />
        <RunsPanel reading={status} />
        <StoragePanel reading={useHighestStorageUsers()} />
        <ActivityPanel reading={useLicenseActivity(days)} />
        <LicensesPanel reading={useLicenses(days)} date={date} />
      </div>
    </div>
  );
}
