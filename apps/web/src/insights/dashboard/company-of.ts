import { companiesTarget, type Target } from '../../entities/daily-checks-link.tsx';

/** The company of a job, for those who may not see its runs; nowhere for a job without one. */
export function companyOf({ companyId }: { companyId: string | null }): Target | undefined {
  return companyId === null ? undefined : companiesTarget({ open: companyId });
}
