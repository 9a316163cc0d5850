import { CompanyFilter } from '../../entities/company-filter.tsx';
import { SOURCE_GROUP_CHOICES } from '../../entities/source-groups.ts';
import styles from '../../kit/dashboard/dashboard.module.css';
import { DateRangePicker } from '../../kit/date-range/date-range-picker.tsx';
import { ChoiceFilter } from '../../kit/filters/choice-filter.tsx';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import type { useDashboardFilters } from './dashboard-filters.ts';

type DashboardToolbarProps = Pick<ReturnType<typeof useDashboardFilters>, 'filters' | 'setFilters'>;

/** Which days and which jobs the dashboard is about. It stays at the top. */
export function DashboardToolbar({ filters, setFilters }: DashboardToolbarProps) {
  return (
    <div className={styles.filters}>
      <FilterBar>
        <DateRangePicker value={filters.date} onChange={(date) => setFilters({ date })} />
        <CompanyFilter companyIds={filters.company} onChange={(company) => setFilters({ company })} />
        <ChoiceFilter
          label="Source"
          choices={SOURCE_GROUP_CHOICES}
          values={filters.source}
          onChange={(source) => setFilters({ source })}
        />
      </FilterBar>
    </div>
  );
}
