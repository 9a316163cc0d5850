import { RESULTS } from '@keepwatch/contract/monitoring/values';
import { ActionIcon } from '@mantine/core';
import IconFilterOff from '@tabler/icons-react/dist/esm/icons/IconFilterOff.mjs';
import type { ReactNode } from 'react';
import { RESULT_LOOKS } from '../kit/badges/result-badge.tsx';
import { STATE_LOOKS } from '../kit/badges/state-badge.tsx';
import { ANY_TIME } from '../kit/daily-checks-link.tsx';
import { PRESETS } from '../kit/date-range/date-range.ts';
import { DateRangePicker } from '../kit/date-range/date-range-picker.tsx';
import { Chip } from '../kit/filters/chip.tsx';
import { ChoiceFilter, SingleFilter } from '../kit/filters/choice-filter.tsx';
import { CompanyFilter } from '../kit/filters/company-filter.tsx';
import { FilterBar } from '../kit/filters/filter-bar.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { SOURCE_GROUP_CHOICES } from '../kit/source-groups.ts';
import { DEFAULT_FILTERS, type Filters, STATE_FILTERS } from './filters.ts';
import { JobFilter } from './job-filter.tsx';

const RESULT_CHOICES = RESULTS.map((value) => ({ value, label: RESULT_LOOKS[value].word }));
const STATE_CHOICES = STATE_FILTERS.map((value) => ({
  value,
  label: value === 'all' ? 'All' : STATE_LOOKS[value].word,
}));
const MANAGED_CHOICES = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;
const LATEST_ONLY = 'Latest only';
const UNASSIGNED_ONLY = 'Not assigned to one job';
/** Successes with an anomaly, runs that were ignored; of each job only the run by which it stands now. */
const SHOW_CHOICES = [
  { value: 'anomaly', label: 'Anomalies' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'latest', label: LATEST_ONLY },
] as const;

interface DailyChecksFiltersProps {
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
  onReset: () => void;
  /** What is done with the list. */
  end: ReactNode;
}

/** Everything that narrows the list (specification "portal", part 3, persisted filters). */
export function DailyChecksFilters({ filters, onChange, onReset, end }: DailyChecksFiltersProps) {
  return (
    <FilterBar
      end={
        <>
          <ResetButton isOff={isDefault(filters)} onReset={onReset} />
          {end}
        </>
      }
    >
      <DateRangePicker
        value={filters.date}
        utcDays={filters.day}
        onChange={(date) => onChange({ date, day: '' })}
        presets={filters.latest ? [ANY_TIME, ...PRESETS] : PRESETS}
      />
      <SingleFilter
        label="State"
        choices={STATE_CHOICES}
        value={filters.state}
        onChange={(state) => onChange({ state })}
      />
      <ChoiceFilter
        label="Result"
        choices={RESULT_CHOICES}
        values={filters.result}
        onChange={(result) => onChange({ result })}
      />
      <ChoiceFilter
        label="Source"
        choices={SOURCE_GROUP_CHOICES}
        values={filters.source}
        onChange={(source) => onChange({ source })}
      />
      <CompanyFilter companyIds={filters.company} onChange={(company) => onChange({ company })} />
      <JobFilter jobs={filters.job} companyIds={filters.company} onChange={(job) => onChange({ job })} />
      <ChoiceFilter
        label="Managed"
        choices={MANAGED_CHOICES}
        values={filters.managed === 'any' ? [] : [filters.managed]}
        onChange={(values) => onChange({ managed: values.at(-1) ?? 'any' })}
      />
      <ChoiceFilter
        label="Show"
        choices={SHOW_CHOICES}
        values={SHOW_CHOICES.map(({ value }) => value).filter((value) => filters[value])}
        onChange={(values) =>
          onChange({
            anomaly: values.includes('anomaly'),
            ignored: values.includes('ignored'),
            latest: values.includes('latest'),
          })
        }
      />
      {filters.latest && <Chip label={LATEST_ONLY} onRemove={() => onChange({ latest: false })} />}
      {filters.unassigned && <Chip label={UNASSIGNED_ONLY} onRemove={() => onChange({ unassigned: false })} />}
      <SearchInput label="Search runs" value={filters.search} onChange={(search) => onChange({ search })} />
    </FilterBar>
  );
}

/** Its place is kept, so that no list moves while one searches. */
function ResetButton({ isOff, onReset }: { isOff: boolean; onReset: () => void }) {
  return (
    <ActionIcon
      size={30}
      aria-label="Reset"
      title="Reset the filters"
      style={{ visibility: isOff ? 'hidden' : 'visible' }}
      onClick={onReset}
    >
      <IconFilterOff size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}

export function isDefault(filters: Filters): boolean {
  return JSON.stringify({ ...DEFAULT_FILTERS, ...filters }) === JSON.stringify(DEFAULT_FILTERS);
}
