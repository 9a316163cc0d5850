import {
  type LicenseUse,
  readBackupStatus,
  readHighestStorageUsers,
  readLicenseActivity,
  readLicenses,
  readRetention,
  readUserFigures,
} from '@keepwatch/contract/microsoft365/dashboard';
import {
  listAgedObjects,
  listUnprotectedPeople,
  readObjectAges,
  readProtectedPeople,
  readProvedJobs,
} from '@keepwatch/contract/microsoft365/protection';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { licenseDays, todayOf } from '../licensing/license-days.ts';
import { listOrganizations } from '../licensing/licensed-organizations.ts';
import { listUsers } from '../licensing/licensed-users.ts';
import { listUnprotected, readPeople } from '../people/reasons.ts';
import { readStatus } from './backup-status.ts';
import { readActivity } from './license-activity.ts';
import { listObjects, readAges } from './object-ages.ts';
import { readProofs } from './proved-jobs.ts';
import { readRetentions } from './retention.ts';
import { readFigures } from './user-figures.ts';

/** The calls of the dashboard of Microsoft 365. */
export const m365DashboardCalls: Route[] = [
  answer(readBackupStatus, async ({ database, scope, now }, { query }) => {
    const narrowed = scope.narrowedTo(query.companyId === undefined ? undefined : [query.companyId]);
    return { data: await readStatus(database, narrowed, licenseDays(query, now())) };
  }),

  answer(readUserFigures, async ({ database, scope, now }, { query }) => ({
    data: await readFigures(database, scope, query.companyId, now()),
  })),

  answer(readLicenseActivity, async ({ database, scope, now }, { query }) => {
    const { companyId } = query;
    return { data: await readActivity(database, scope, { days: licenseDays(query, now()), companyId }) };
  }),

  answer(readLicenses, async (context, { query }) => ({ data: await readUse(context, query) })),

  answer(readHighestStorageUsers, async ({ database, scope, now }, { query: { companyId, limit } }) => {
    const { firstDay } = todayOf(now());
    const query = { companyId, limit, offset: 0, sort: '-bytes', from: firstDay, to: now().toISOString() } as const;
    return { data: (await listUsers(database, scope, query, now())).data };
  }),

  answer(readRetention, async ({ database, scope }, { query }) => ({
    data: await readRetentions(database, scope, query.companyId),
  })),

  answer(readProtectedPeople, async ({ database, scope }, { query }) => ({
    data: await readPeople(database, scope, query.companyId),
  })),

  answer(listUnprotectedPeople, ({ database, scope }, { query }) => listUnprotected(database, scope, query)),

  answer(readObjectAges, async ({ database, scope, now }, { query }) => ({
    data: await readAges(database, scope, query.companyId, now()),
  })),

  answer(listAgedObjects, ({ database, scope, now }, { query }) => listObjects(database, scope, query, now())),

  answer(readProvedJobs, async ({ database, scope }, { query }) => ({
    data: await readProofs(database, scope, query.companyId),
  })),
];

type UseQuery = CallInput<typeof readLicenses>['query'];

async function readUse({ database, scope, now }: SignedInContext, query: UseQuery): Promise<LicenseUse> {
  const ranked = { ...query, offset: 0, sort: '-licensedUsers' } as const;
  const { count, data, total } = await listOrganizations(database, scope, ranked, now());
  const { bytes: _, ...counts } = total;
  const organizations = data.map(({ _id, organizationName, companyName, licensedUsers, newUsers, releasedUsers }) => ({
    ...{ id: _id, name: organizationName, companyName },
    ...{ licensedUsers, newUsers, releasedUsers },
  }));
  return { ...counts, organizations, organizationCount: count };
}
