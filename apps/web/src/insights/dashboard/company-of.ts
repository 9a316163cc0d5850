import { companyPage } from '../../entities/places.ts';
import type { Target } from '../../kit/place.ts';

/** The company of a job, for those who may not see its runs; nowhere for a job without one. */
export function companyOf({ companyId }: { companyId: string | null }): Target | undefined {
  return companyId === null ? undefined : companyPage.at({ id: companyId });
}
