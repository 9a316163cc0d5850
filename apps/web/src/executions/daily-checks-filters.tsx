import { RESULTS } from '@keepwatch/contract/runs/values';
import type { ReactNode } from 'react';
import { CompanyFilter } from '../entities/company-filter.tsx';
import { ANY_TIME, STATE_FILTERS } from '../entities/daily-checks.ts';
import { QueueSwitch } from '../entities/queue-switch.tsx';
import { RESULT_LOOKS } from '../entities/result-badge.tsx';
import { STATE_LOOKS } from '../entities/state-badge.tsx';
import { useBackupClock } from '../kit/backup-clock.ts';
import { PRESETS } from '../kit/date-range/date-range.ts';
import { DateRangePicker } from '../kit/date-range/date-range-picker.tsx';
import { ChoiceFilter, SingleFilter } from '../kit/filters/choice-filter.tsx';
import { FilterBar } from '../kit/filters/filter-bar.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { DensityButton } from './density-button.tsx';
import { DEFAULT_FILTERS, type Filters } from './filters.ts';
import { MoreFilters } from './more-filters.tsx';
import { DOUBTFUL_WORD } from './narrowed.ts';

/** Doubtful is what no result says. */
const RESULT_CHOICES = [
  ...RESULTS.map((value) => ({ value, label: RESULT_LOOKS[value].word })),
  { value: 'doubtful', label: DOUBTFUL_WORD },
] as const;
const STATE_CHOICES = STATE_FILTERS.map((value) => ({
  value,
  label: value === 'all' ? 'All' : STATE_LOOKS[value].word,
}));

interface DailyChecksFiltersProps {
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
  /** What is done with the list. */
  end: ReactNode;
}

/** Everything that narrows the list (specification "portal", part 3, persisted filters). */
export function DailyChecksFilters({ filters, onChange, end }: DailyChecksFiltersProps) {
  const { timeZone } = useBackupClock();
  return (
    <FilterBar
      isOneRow
      end={
        <>
          <DensityButton />
          {end}
        </>
      }
    >
      <QueueSwitch at="runs" />
      <DateRangePicker
        value={filters.date}
        days={filters.day}
        timeZone={timeZone}
        onChange={(date) => onChange({ date, day: '' })}
        presets={filters.latest ? [...PRESETS, ANY_TIME] : PRESETS}
      />
      <SingleFilter
        label="State"
        choices={STATE_CHOICES}
        value={filters.state}
        neutral={[DEFAULT_FILTERS.state, 'all']}
        onChange={(state) => onChange({ state })}
      />
      <ChoiceFilter
        label="Result"
        choices={RESULT_CHOICES}
        values={[...filters.result, ...(filters.doubtful ? (['doubtful'] as const) : [])]}
        onChange={(chosen) =>
          onChange({
            result: RESULTS.filter((result) => chosen.includes(result)),
            doubtful: chosen.includes('doubtful'),
          })
        }
      />
      <CompanyFilter companyIds={filters.company} onChange={(company) => onChange({ company })} />
      <MoreFilters filters={filters} onChange={onChange} />
      <SearchInput label="Search runs" value={filters.search} onChange={(search) => onChange({ search })} />
    </FilterBar>
  );
}

export function isDefault(filters: Filters): boolean {
  return JSON.stringify({ ...DEFAULT_FILTERS, ...filters }) === JSON.stringify(DEFAULT_FILTERS);
}
