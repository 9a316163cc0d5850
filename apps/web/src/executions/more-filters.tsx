import { type ReactNode, useId } from 'react';
import { SOURCE_GROUP_CHOICES, SOURCE_GROUP_WORDS } from '../entities/source-groups.ts';
import { ChoiceList } from '../kit/filters/choice-list.tsx';
import { FilterButton } from '../kit/filters/filter-button.tsx';
import { Panel } from '../kit/panel/panel.tsx';
import { DEFAULT_FILTERS, type Filters } from './filters.ts';
import { useJobNames } from './job-filter.data.ts';
import { JobFilter } from './job-filter.tsx';
import styles from './more-filters.module.css';
import { viewText } from './view-text.ts';

const MANAGED_CHOICES = [
  { value: 'any', label: 'All companies' },
  { value: 'yes', label: 'Managed companies' },
  { value: 'no', label: 'Other companies' },
] as const;
/** Only the newest run of each job; also runs that were ignored; also successes with an anomaly. */
const VIEW_CHOICES = [
  { value: 'latest', label: 'Latest run per job' },
  { value: 'ignored', label: 'With ignored' },
  { value: 'anomaly', label: 'With anomalies' },
  { value: 'unassigned', label: 'Not assigned to one job' },
] as const;

interface MoreFiltersProps {
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
}

/** The filters that are needed less often, behind one button that counts those in use. */
export function MoreFilters({ filters, onChange }: MoreFiltersProps) {
  const count = countMore(filters);
  const label = count === 0 ? 'More filters' : `More filters (${count})`;
  return (
    <Panel
      label="More filters"
      trigger={(props) => <FilterButton {...props} label={label} chosen={[]} isNarrowed={count > 0} />}
    >
      {() => <Groups filters={filters} onChange={onChange} />}
    </Panel>
  );
}

function Groups({ filters, onChange }: MoreFiltersProps) {
  const { source, managed, job, company } = filters;
  const { nameOf } = useJobNames(job);
  const view = VIEW_CHOICES.map(({ value }) => value).filter((value) => filters[value]);
  const toggledSource = (value: Filters['source'][number]) =>
    source.includes(value) ? source.filter((other) => other !== value) : [...source, value];
  return (
    <div className={styles.groups}>
      <Group title={`View: ${viewText(filters)}`}>
        <ChoiceList
          label="View"
          choices={VIEW_CHOICES}
          values={view}
          onToggle={(value) => onChange({ [value]: !filters[value] })}
        />
      </Group>
      <Group title="Companies">
        <ChoiceList
          isSingle
          label="Managed"
          choices={MANAGED_CHOICES}
          values={[managed]}
          onToggle={(value) => onChange({ managed: value })}
        />
      </Group>
      <Group
        title={titleOf(
          'Source',
          source.map((group) => SOURCE_GROUP_WORDS[group]),
        )}
      >
        <ChoiceList
          label="Source"
          choices={SOURCE_GROUP_CHOICES}
          values={source}
          onToggle={(value) => onChange({ source: toggledSource(value) })}
          onClear={() => onChange({ source: [] })}
        />
      </Group>
      <Group title={titleOf('Job', job.map(nameOf))}>
        <JobFilter jobs={job} companyIds={company} onChange={(jobs) => onChange({ job: jobs })} />
      </Group>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h3 id={id} className={styles.title} title={title}>
        {title}
      </h3>
      {children}
    </section>
  );
}

/** `Job`, `Job: File and Print`, `Job: File and Print +2`. */
function titleOf(label: string, [first, ...others]: readonly string[]): string {
  if (first === undefined) return label;
  return `${label}: ${first}${others.length > 0 ? ` +${others.length}` : ''}`;
}

function countMore({ source, managed, job, latest, ignored, anomaly, unassigned }: Filters): number {
  const isViewChanged =
    latest !== DEFAULT_FILTERS.latest || ignored !== DEFAULT_FILTERS.ignored || anomaly !== DEFAULT_FILTERS.anomaly;
  return [isViewChanged, unassigned, source.length > 0, managed !== DEFAULT_FILTERS.managed, job.length > 0].filter(
    Boolean,
  ).length;
}
