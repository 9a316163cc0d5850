import { useIsCompanyMissing } from '../entities/company-filter.data.ts';
import { useSharedCompany } from '../entities/company-scope.ts';
import { dailyChecksFilters } from '../entities/daily-checks.ts';
import { dailyChecks } from '../entities/places.ts';
import { useFilters } from '../kit/use-filters.ts';
import { useJobNames } from './job-filter.data.ts';

/** The companies are those of all screens: they are stored apart. */
const SHARED = ['company'] as const;

/** The filters of the list, and whether one of them names something that is not there. */
export function useDailyChecksFilters() {
  const { filters, hasUnknown, ...change } = useFilters(
    dailyChecksFilters,
    dailyChecks,
    'daily-checks.filters',
    SHARED,
  );
  const setFilters = useSharedCompany(change.setFilters);
  const isCompanyMissing = useIsCompanyMissing(filters.company);
  const { isMissing } = useJobNames(filters.job);
  return {
    filters,
    setFilters,
    reset: () => setFilters(dailyChecksFilters.defaults),
    isBroken: hasUnknown || isCompanyMissing || isMissing,
  };
}
