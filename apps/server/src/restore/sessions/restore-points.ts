import type { RestorePoint } from '@keepwatch/contract/restore/sessions';
import type { ListedRestorePoint, Stored } from '@keepwatch/engine/engine';
import type { RestoreOrganization } from '../restore-organization.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { Reach } from '../roles/reach.ts';
import type { ObjectKind } from './repository-objects.ts';
import type { SessionPoint } from './session-point.ts';

/** Which restore points. */
export interface PointFilter {
  jobId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

interface FoundPoint {
  repositoryId: string;
  stored: Stored;
  point: ListedRestorePoint;
}

/** Restore points of a repository that are read at a time, and at most of all that a list counts. */
const POINTS_A_PAGE = 1_000;
const POINTS_MAX = 20_000;
/** Of which one is looked for: the first of a reach may be far down. */
const OBJECTS_A_PAGE = 100;
const IS_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Lists the restore points of an organization, newest first, with how many there are: of jobs that back up something within the reach. */
export async function listPoints(
  services: RestoreServices,
  reach: Reach,
  filter: PointFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; data: RestorePoint[] }> {
  const { organization } = reach;
  const all: FoundPoint[] = [];
  for (const repositoryId of await services.repositoriesOf(organization)) {
    const stored = await reach.openStored(repositoryId);
    for await (const point of pointsIn(stored, organization, filter)) all.push({ repositoryId, stored, point });
  }
  const found = reach.isLimited ? await withinReach(all) : all;
  found.sort((one, other) => other.point.finishedAt.getTime() - one.point.finishedAt.getTime());
  const page = found.slice(offset, offset + limit);
  const kinds = await kindsByJob(page);
  return { count: found.length, data: page.map((one) => shown(one, reach, kinds)) };
}

/** What the newest restore point of a job shows nothing of is of no use to an operator. */
async function withinReach(points: readonly FoundPoint[]): Promise<FoundPoint[]> {
  const newestFirst = points.toSorted(
    (one, other) => other.point.finishedAt.getTime() - one.point.finishedAt.getTime(),
  );
  const kinds = await kindsByJob(newestFirst);
  return newestFirst.filter((one) => Object.values(kinds.get(jobOf(one)) ?? {}).includes(true));
}

async function* pointsIn(
  { catalog }: Stored,
  { tenantId }: RestoreOrganization,
  filter: PointFilter,
): AsyncGenerator<ListedRestorePoint> {
  for (let offset = 0; offset < POINTS_MAX; offset += POINTS_A_PAGE) {
    const page = await catalog.listRestorePoints({
      ...engineFilter(tenantId, filter),
      limit: POINTS_A_PAGE,
      offset,
    });
    yield* page;
    if (page.length < POINTS_A_PAGE) return;
  }
}

function engineFilter(organizationId: string, { jobId, from, to }: PointFilter) {
  return {
    organizationId,
    ...(jobId === undefined ? {} : { job: jobId }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

type Kinds = Pick<RestorePoint, 'isExchange' | 'isOneDrive' | 'isSharePoint' | 'isTeams'>;
const jobOf = ({ repositoryId, point }: FoundPoint) => `${repositoryId} ${point.run.job}`;

/** What the newest restore point of each job has: a job covers the same services each time, and asking of every point would take long. */
async function kindsByJob(points: readonly FoundPoint[]): Promise<ReadonlyMap<string, Kinds>> {
  const newest = new Map<string, FoundPoint>();
  for (const one of points) if (!newest.has(jobOf(one))) newest.set(jobOf(one), one);
  const kinds = await Promise.all([...newest].map(async ([job, one]) => [job, await kindsOf(one)] as const));
  return new Map(kinds);
}

async function kindsOf({ stored: { catalog }, point }: FoundPoint): Promise<Kinds> {
  const objects = async (kinds: ObjectKind[]) =>
    (await catalog.findObjects({ restorePoints: [point.run.id], kinds, limit: OBJECTS_A_PAGE })).rows.length > 0;
  const [isExchange, isOneDrive, isSharePoint, isTeams] = await Promise.all([
    objects(['mailbox', 'archive']),
    objects(['drive']),
    objects(['site']),
    objects(['team', 'chats']),
  ]);
  return { isExchange, isOneDrive, isSharePoint, isTeams };
}

function shown(one: FoundPoint, { organization, isLimited }: Reach, kinds: ReadonlyMap<string, Kinds>): RestorePoint {
  const { run, finishedAt, outcome, isPartial, incompleteObjects, counts } = one.point;
  const none = { isExchange: false, isOneDrive: false, isSharePoint: false, isTeams: false };
  return {
    id: run.id,
    jobId: IS_ID.test(run.job) ? run.job : null,
    jobName: run.jobName,
    repositoryId: one.repositoryId,
    organizationId: organization.id,
    backupTime: finishedAt.toISOString(),
    result: outcome === 'Stopped' ? 'Warning' : outcome,
    isPartial,
    ...(kinds.get(jobOf(one)) ?? none),
    incompleteObjects: isLimited ? null : incompleteObjects,
    itemsRead: isLimited ? null : counts.itemsRead,
    itemsLost: isLimited ? null : counts.itemsLost,
  };
}

/** The newest restore point of each job (or of one) at an instant, newest first: what a session shows. */
export async function pointsAt(
  services: RestoreServices,
  { organization, isLimited, openStored }: Reach,
  to: Date,
  jobId: string | null,
): Promise<SessionPoint[]> {
  const found: SessionPoint[] = [];
  for (const repositoryId of await services.repositoriesOf(organization)) {
    const { catalog } = await openStored(repositoryId);
    const jobs = (await catalog.listJobs()).filter(({ organizationId }) => organizationId === organization.tenantId);
    for (const { job } of jobs.filter((one) => jobId === null || one.job === jobId)) {
      const filter = { organizationId: organization.tenantId, job, to, limit: 1, offset: 0 };
      for (const { run, finishedAt, isPartial } of await catalog.listRestorePoints(filter))
        if (!isLimited || (await hasObjects(catalog, run.id)))
          found.push({ repositoryId, restorePoint: run.id, at: finishedAt.toISOString(), isPartial });
    }
  }
  return found.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

async function hasObjects(catalog: Stored['catalog'], restorePoint: string): Promise<boolean> {
  return (await catalog.findObjects({ restorePoints: [restorePoint], limit: OBJECTS_A_PAGE })).rows.length > 0;
}
