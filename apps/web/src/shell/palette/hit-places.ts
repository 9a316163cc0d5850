import type { Hit, HitKind } from '@keepwatch/contract/search/search';
import { STATUS } from '../../entities/daily-checks.ts';
import { companyPage, dailyChecks, o365Jobs, o365Organizations, o365Users, users } from '../../entities/places.ts';
import type { Target } from '../../kit/place.ts';

export const HIT_GROUPS: Readonly<Record<HitKind, string>> = {
  company: 'Companies',
  job: 'Jobs',
  organization: 'Organizations',
  'm365-job': 'Microsoft 365 jobs',
  user: 'Users',
};

type Named = Pick<Hit, 'kind' | '_id' | 'name'>;

/** Where a hit can open: the first of them that is open to the user. */
export const HIT_PLACES: Readonly<Record<HitKind, (hit: Named) => readonly Target[]>> = {
  company: ({ _id, name }) => [
    companyPage.at({ id: _id }),
    dailyChecks.at({ company: [_id], state: 'all' }),
    o365Organizations.at({ search: name }),
  ],
  job: ({ _id }) => [dailyChecks.at({ job: [_id], ...STATUS, latest: false, date: 'Last 30 Days' })],
  organization: ({ _id }) => [o365Organizations.at({ open: _id })],
  'm365-job': ({ _id }) => [o365Jobs.at({ open: _id })],
  user: ({ _id }) => [users.at({ open: _id }), o365Users.at({ open: _id })],
};
