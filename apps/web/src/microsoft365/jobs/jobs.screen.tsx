import { JOB_STATES, SESSION_RESULTS } from '@keepwatch/contract/microsoft365/jobs';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useOrganizationNames } from '../../entities/organizations.data.ts';
import { jobWizard, type o365Jobs, organizationWizard } from '../../entities/places.ts';
import { choiceField, dayField, listField, textField, useUrlState } from '../../kit/address/url-state.ts';
import { loadedRows } from '../../kit/data-table/pages.ts';
import { Chip } from '../../kit/filters/chip.tsx';
import { ChoiceFilter } from '../../kit/filters/choice-filter.tsx';
import { SearchInput } from '../../kit/filters/search-input.tsx';
import { formatDay } from '../../kit/format/dates.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import type { FieldsOf } from '../../kit/place.ts';
import { ScreenLink, useGo } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import styles from '../microsoft365.module.css';
import { COMPACT_JOBS, JOB_COLUMNS } from './job-columns.tsx';
import { JobPanel } from './job-panel.tsx';
import { isRunning } from './job-state.tsx';
import { JOB_SORTS, useJobs, useLiveJobs } from './jobs.data.ts';

const Workers = lazy(() => import('./workers.tsx'));

const FIELDS = {
  search: textField(),
  status: listField(SESSION_RESULTS),
  only: choiceField(['', ...JOB_STATES], ''),
  ranOn: dayField(),
  sort: choiceField(JOB_SORTS, 'name'),
  open: textField(),
} satisfies FieldsOf<typeof o365Jobs>;

/** What a link narrows the list to; each is a chip. */
const ONLY_TEXTS = { 'never-run': 'Never run', disabled: 'Disabled' } as const;

const STATUS_CHOICES = SESSION_RESULTS.map((value) => ({ value, label: value }));

/** The jobs of all organizations, with what they do now. A row opens its panel. */
export default function JobsScreen() {
  const [filters, setFilters] = useUrlState(FIELDS);
  const { search, status, only, ranOn, sort, open } = filters;
  const pages = useJobs(filters, sort);
  const go = useGo();
  useLiveJobs(loadedRows(pages).some(isRunning));
  const create = () => go(jobWizard.at({ step: '1' }));
  const isNarrowed = search !== '' || status.length > 0 || only !== '' || ranOn !== '';
  const isEmpty = pages.count === 0 && !isNarrowed;
  return (
    <ListScreen
      label="Jobs"
      what="the jobs"
      columns={JOB_COLUMNS}
      compact={COMPACT_JOBS}
      lines={2}
      pages={pages}
      rowId={({ id }) => id}
      sort={sort}
      onSort={(next) => setFilters({ sort: next })}
      filters={
        <>
          <SearchInput label="Search jobs" value={search} onChange={(text) => setFilters({ search: text })} />
          <ChoiceFilter
            label={ranOn === '' ? 'Last run' : 'Result'}
            choices={STATUS_CHOICES}
            values={status}
            onChange={(values) => setFilters({ status: values })}
          />
          {only !== '' && <Chip label={ONLY_TEXTS[only]} onRemove={() => setFilters({ only: '' })} />}
          {ranOn !== '' && (
            <Chip label={`Ran on ${formatDay(ranOn)} (UTC)`} onRemove={() => setFilters({ ranOn: '' })} />
          )}
        </>
      }
      end={!isEmpty && <ListEnd count={pages.count} onCreate={create} />}
      isNarrowed={isNarrowed}
      noMatch={{ title: 'No matching job', text: 'Remove a filter to see more.', reset: 'Show all jobs' }}
      onReset={() => setFilters({ search: '', status: [], only: '', ranOn: '' })}
      empty={<NoJobs onCreate={create} />}
      open={{ id: open, change: (id) => setFilters({ open: id }) }}
      panel={open !== '' && <JobPanel key={open} id={open} onClose={() => setFilters({ open: '' })} />}
    />
  );
}

function ListEnd({ count, onCreate }: { count: number | null; onCreate: () => void }) {
  const [isShowingWorkers, setShowingWorkers] = useState(false);
  return (
    <>
      <span className={styles.muted}>{formatCounted(count, 'job', 'jobs')}</span>
      <Button variant="default" onClick={() => setShowingWorkers(true)}>
        Workers
      </Button>
      <Button variant="default" onClick={onCreate}>
        Create job
      </Button>
      <Suspense fallback={null}>{isShowingWorkers && <Workers onClose={() => setShowingWorkers(false)} />}</Suspense>
    </>
  );
}

function NoJobs({ onCreate }: { onCreate: () => void }) {
  const { data } = useOrganizationNames();
  if (data?.length === 0)
    return (
      <EmptyState title="No jobs yet" text="A job backs up an organization: connect one first.">
        <ScreenLink to={organizationWizard.at({ _splat: '1' })}>Connect organization</ScreenLink>
      </EmptyState>
    );
  return (
    <EmptyState title="No jobs yet" text="A job says what is backed up, where to, and when.">
      <Button onClick={onCreate}>Create job</Button>
    </EmptyState>
  );
}
