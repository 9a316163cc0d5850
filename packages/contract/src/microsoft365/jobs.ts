import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { emailAddress, id, instant, instantInQuery, nameText, oneOrMore, text, wholeNumber } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';
import { ENGINES } from './engines.ts';
import { objectId } from './organizations.ts';
import { proofSummary } from './proof-summary.ts';

/** Jobs of Microsoft 365 backups, their runs, and the machines that do them. */

const access = 'o365.jobs' as const;

export const BACKUP_TYPES = ['EntireOrganization', 'SelectedItems'] as const;
export const SELECTED_TYPES = ['User', 'Group', 'Team', 'Site', 'PersonalSites', 'PartialOrganization'] as const;
export const SCHEDULE_TYPES = ['Daily', 'Monthly', 'Continuously', 'Periodically', 'Chained', 'Disabled'] as const;
export const DAILY_TYPES = [
  'Everyday',
  'Workdays',
  'Weekends',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;
/** As an engine says it; Running is a run that has no end yet. */
export const SESSION_RESULTS = ['Running', 'Success', 'Warning', 'Failed'] as const;

/** So many days after its end the log of a run is removed. */
export const SESSION_LOG_DAYS = 90;

export type SessionResult = (typeof SESSION_RESULTS)[number];
export type SelectedType = (typeof SELECTED_TYPES)[number];

/* It is entered and shown, with and without its defaults: two forms, so it has no name of its own. */
const selectedItem = z.strictObject({
  type: z.enum(SELECTED_TYPES),
  /** Of the object at Microsoft; without one for all personal sites and for the whole organization. */
  id: z._default(z.nullable(objectId), null),
  name: z._default(text(400), ''),
  mailbox: z._default(z.boolean(), true),
  archiveMailbox: z._default(z.boolean(), true),
  oneDrive: z._default(z.boolean(), true),
  sites: z._default(z.boolean(), false),
  personalSite: z._default(z.boolean(), true),
  teams: z._default(z.boolean(), true),
});
const items = z.strictObject({ results: z.array(selectedItem).check(z.maxLength(10_000)) });

const schedulePolicy = z.strictObject({
  /** Whether it runs by its schedule at all. */
  runAuto: z.boolean(),
  type: z.enum(SCHEDULE_TYPES),
  dailyType: z._default(z.enum(DAILY_TYPES), 'Everyday'),
  /** `22:00`, in the time zone. */
  dailyTime: z._default(z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 22:00')), '22:00'),
  /** Of `Monthly`; in shorter months their last day. */
  dayOfMonth: z._default(wholeNumber(1, 31), 1),
  /** Minutes, of `Periodically`. */
  periodicallyEvery: z._default(wholeNumber(5, 1_440), 60),
  /** Of `Chained`: it runs when that job has ended. */
  afterJobId: z._default(z.nullable(id), null),
  /** Of `dailyTime` and the backup window. Default: UTC. */
  timeZone: z.optional(nameText(60)),
  runNow: z._default(z.boolean(), false),
  retryEnabled: z._default(z.boolean(), true),
  retryNumber: z._default(wholeNumber(1, 10), 3),
  /** Minutes before each. */
  retryWaitInterval: z._default(wholeNumber(1, 1_440), 10),
  backupWindowEnabled: z._default(z.boolean(), false),
  /** Hours of the week in which it may run, from Monday 0:00 on. */
  backupWindow: z._default(z.nullable(z.array(z.boolean()).check(z.length(168, 'must have 168 hours'))), null),
});

const enteredJob = {
  organizationId: id,
  name: nameText(200),
  description: z._default(text(1_000), ''),
  backupType: z.pipe(
    z.union([z.enum(BACKUP_TYPES), z.enum(['entireorganization', 'selecteditems'])]),
    z.transform((type): (typeof BACKUP_TYPES)[number] =>
      type.toLowerCase() === 'selecteditems' ? 'SelectedItems' : 'EntireOrganization',
    ),
  ),
  selectedItems: z._default(items, { results: [] }),
  excludedItems: z._default(items, { results: [] }),
  isTeamsChatsEnabled: z._default(z.boolean(), false),
  /** A proxy, or a pool of them; without one any. */
  proxyId: z._default(z.nullable(id), null),
  repositoryId: id,
  isEnabled: z._default(z.boolean(), true),
  schedulePolicy,
};

export const jobSession = entity(
  'JobSession',
  z.object({
    id,
    jobId: id,
    creationTime: instant,
    endTime: z.nullable(instant),
    status: z.enum(SESSION_RESULTS),
    isStopped: z.boolean(),
    details: z.nullable(z.string()),
    /** Percent, where the number of objects is known. */
    progress: z.nullable(z.int()),
    statistics: z.object({
      processedObjects: z.int(),
      objectsTotal: z.nullable(z.int()),
      itemsRead: z.int(),
      itemsLost: z.int(),
      itemsSkipped: z.int(),
      itemsRemoved: z.int(),
      transferredDataBytes: z.int(),
      storedBytes: z.int(),
      processingRateBytesPS: z.nullable(z.int()),
    }),
    expectedEndTime: z.nullable(instant),
    proxyName: z.nullable(z.string()),
  }),
);
export type JobSession = z.infer<typeof jobSession>;

export const m365Job = entity(
  'Microsoft365Job',
  z.object({
    id,
    _id: id,
    name: z.string(),
    description: z.string(),
    organizationId: id,
    organizationName: z.string(),
    companyId: id,
    companyName: z.string(),
    /** Of its organization. */
    engine: z.enum(ENGINES),
    backupType: z.enum(BACKUP_TYPES),
    repositoryId: id,
    repositoryName: z.string(),
    proxyId: z.nullable(id),
    isEnabled: z.boolean(),
    isTeamsChatsEnabled: z.boolean(),
    selectedCount: z.int(),
    excludedCount: z.int(),
    schedulePolicy: z.object({ ...schedulePolicy.shape, timeZone: z.string() }),
    nextRun: z.nullable(instant),
    lastSession: z.nullable(jobSession),
    restorePoints: z.int(),
    /** Another one after each change that a person makes. */
    version: z.int(),
    /** The last proof that ended. */
    lastProof: z.nullable(proofSummary),
  }),
);
export type Microsoft365Job = z.infer<typeof m365Job>;

export const m365JobDetail = entity(
  'Microsoft365JobDetail',
  z.extend(m365Job, { selectedItems: items, excludedItems: items }),
);
export type Microsoft365JobDetail = z.infer<typeof m365JobDetail>;

export const createM365Job = declareCall({
  method: 'POST',
  path: '/o365/jobs',
  access,
  audit: 'm365-job.create',
  body: z.strictObject(enteredJob),
  bodyBytesMax: 4 * 2 ** 20,
  ...itemOf(m365JobDetail),
  failure: 'The job could not be created. Try again later.',
  summary: 'Creates a job; `schedulePolicy.runNow` starts it at once.',
});

/** Jobs that no result of a run finds. */
export const JOB_STATES = ['never-run', 'disabled'] as const;

export const listM365Jobs = declareCall({
  method: 'GET',
  path: '/o365/jobs',
  access: ['o365.jobs', 'o365.dashboard'],
  ...listOf(m365Job, {
    sorts: ['name', 'organizationName', 'nextRun', 'lastRun'],
    query: {
      companyId: z.optional(id),
      search: z.optional(text(200)),
      status: z.optional(oneOrMore(z.enum(SESSION_RESULTS))),
      only: z.optional(z.enum(JOB_STATES)),
      /** Only jobs of which a run began on this UTC day; `status` is then that of such a run. */
      ranOn: z.optional(instantInQuery),
    },
  }),
  failure: 'The jobs could not be read. Try again later.',
  summary: 'Jobs of all organizations, with their last run.',
});

export const listJobsOfOrganization = declareCall({
  method: 'GET',
  path: '/o365/organizations/{organizationId}/jobs',
  access: ['o365.jobs', 'o365.organizations'],
  params: z.strictObject({ organizationId: id }),
  ...listOf(m365Job),
  failure: 'The jobs could not be read. Try again later.',
  summary: 'Jobs of an organization.',
});

export const listJobsOfOrganizations = declareCall({
  method: 'POST',
  path: '/o365/organizations/all-jobs',
  access: ['o365.jobs', 'o365.organizations'],
  audit: null, // It reads: the ids are in the body because they may be many
  body: z.strictObject({ organizationsIds: z.array(id).check(z.maxLength(1_000)) }),
  ...itemOf(z.array(m365Job)),
  failure: 'The jobs could not be read. Try again later.',
  summary: 'Jobs of several organizations.',
});

const params = z.strictObject({ jobId: id });
/** Of the job as it was read: where it was changed since, the call is refused with `JOB_CHANGED`. Without one it is changed as it is. */
const readVersion = z.optional(wholeNumber(1, 2 ** 31 - 1));

export const readM365Job = declareCall({
  method: 'GET',
  path: '/o365/jobs/{jobId}',
  access,
  params,
  query: z.strictObject({ organizationId: z.optional(id) }),
  ...itemOf(m365JobDetail),
  failure: 'The job could not be read. Try again later.',
  summary: 'A job with what it covers.',
});

export const editM365Job = declareCall({
  method: 'PUT',
  path: '/o365/jobs/{jobId}',
  access,
  audit: 'm365-job.edit',
  params,
  body: z.strictObject({ ...enteredJob, version: readVersion }),
  bodyBytesMax: 4 * 2 ** 20,
  ...itemOf(m365JobDetail),
  failure: 'The job could not be changed. Try again later.',
  summary: 'Changes a job; a run that goes on ends as it began.',
});

/** As screens send it: the name is what the confirmation showed. */
const named = z.strictObject({ organizationId: id, organizationName: z.optional(text(200)) });
const namedAsRead = z.extend(named, { version: readVersion });

export const deleteM365Job = declareCall({
  method: 'DELETE',
  path: '/o365/jobs/{jobId}',
  access,
  audit: 'm365-job.delete',
  params,
  body: named,
  ...done,
  failure: 'The job could not be removed. Try again later.',
  summary: 'Removes a job that does not run. Its restore points stay until their retention ends.',
});

export const startM365Job = declareCall({
  method: 'POST',
  path: '/o365/jobs/{jobId}/start',
  access,
  audit: 'm365-job.start',
  params,
  body: named,
  ...itemOf(z.object({ sessionId: id })),
  failure: 'The job could not be started. Try again later.',
  summary: 'Asks for a run now.',
});

export const stopM365Job = declareCall({
  method: 'POST',
  path: '/o365/jobs/{jobId}/stop',
  access,
  audit: 'm365-job.stop',
  params,
  body: named,
  ...done,
  failure: 'The job could not be stopped. Try again later.',
  summary: 'Asks the run to end. What it has read stays, and the next one goes on from there.',
});

export const enableM365Job = declareCall({
  method: 'POST',
  path: '/o365/jobs/{jobId}/enable',
  access,
  audit: 'm365-job.enable',
  params,
  body: namedAsRead,
  ...done,
  failure: 'The job could not be enabled. Try again later.',
  summary: 'The job runs by its schedule.',
});

export const disableM365Job = declareCall({
  method: 'POST',
  path: '/o365/jobs/{jobId}/disable',
  access,
  audit: 'm365-job.disable',
  params,
  body: namedAsRead,
  ...done,
  failure: 'The job could not be disabled. Try again later.',
  summary: 'The job runs by its schedule no longer.',
});

export const readLatestSession = declareCall({
  method: 'GET',
  path: '/o365/jobs/{jobId}/detail/latest',
  access: ['o365.jobs', 'o365.dashboard'],
  params,
  query: z.strictObject({ organizationId: z.optional(id) }),
  ...itemOf(z.nullable(jobSession), { history: z.array(jobSession) }),
  failure: 'The run could not be read. Try again later.',
  summary: 'The last run of a job, null before the first, and those before it.',
});

const logLine = entity(
  'SessionLogLine',
  z.object({
    creationTime: instant,
    type: z.enum(['info', 'warning', 'error']),
    objectName: z.nullable(z.string()),
    message: z.string(),
  }),
);

export const listSessionLog = declareCall({
  method: 'GET',
  path: '/o365/jobs/{jobId}/detail/{sessionId}/logs',
  access: ['o365.jobs', 'o365.dashboard'],
  params: z.strictObject({ jobId: id, sessionId: id }),
  ...listOf(logLine, {
    query: {
      organizationId: z.optional(id),
      /** Also in the path; screens repeat it. */
      sessionId: z.optional(id),
      type: z.optional(oneOrMore(z.enum(['info', 'warning', 'error']))),
    },
  }),
  failure: 'The log could not be read. Try again later.',
  summary: 'What a run did, and every item that it could not read.',
});

const notification = z.object({
  jobId: id,
  organizationId: id,
  enabled: z.boolean(),
  userIds: z.array(id),
  externalAddresses: z.array(z.string()),
  notifyOnFailure: z.boolean(),
});

export const readJobNotification = declareCall({
  method: 'GET',
  path: '/o365/jobs/{jobId}/notifications',
  access,
  params,
  query: z.strictObject({ organizationId: z.optional(id) }),
  ...itemOf(notification),
  failure: 'The notifications could not be read. Try again later.',
  summary: 'Who is mailed when the job has run.',
});

export const editJobNotification = declareCall({
  method: 'POST',
  path: '/o365/jobs/{jobId}/notifications',
  access,
  audit: 'm365-job.notifications',
  params,
  body: z.strictObject({
    organizationId: z.optional(id),
    enabled: z.boolean(),
    userIds: z.array(id).check(z.maxLength(200)),
    externalAddresses: z.array(emailAddress).check(z.maxLength(50)),
    notifyOnFailure: z.boolean(),
  }),
  ...itemOf(notification),
  failure: 'The notifications could not be changed. Try again later.',
  summary: 'Changes who is mailed.',
});

const proxy = entity(
  'Proxy',
  z.object({
    id,
    name: z.string(),
    version: z.nullable(z.string()),
    pool: z.nullable(z.string()),
    isOnline: z.boolean(),
    seenAt: z.nullable(instant),
    running: z.nullable(z.int()),
    capacity: z.nullable(z.int()),
    /** What it does now of the organizations that the caller may see; `running` counts those of all. */
    runs: z.array(z.object({ jobId: id, jobName: z.string(), organizationName: z.string(), startTime: instant })),
  }),
);

export const listProxies = declareCall({
  method: 'GET',
  path: '/o365/proxies',
  access,
  query: z.strictObject({ organizationId: z.optional(id) }),
  ...itemOf(z.array(proxy)),
  failure: 'The proxies could not be read. Try again later.',
  summary: 'Machines that back up: those of the engine of an organization, without one the workers of this portal.',
});

export const listProxyPools = declareCall({
  method: 'GET',
  path: '/o365/proxies/proxypools',
  access,
  query: z.strictObject({ companyId: z.optional(id), organizationId: z.optional(id) }),
  ...itemOf(z.array(z.object({ id, name: z.string(), proxyCount: z.int() }))),
  failure: 'The pools of proxies could not be read. Try again later.',
  summary: 'Named groups of proxies: those of the engine of an organization, without one those of this portal.',
});
