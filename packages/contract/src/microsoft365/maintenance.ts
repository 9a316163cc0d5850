import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, nameText } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { DAILY_TYPES, SESSION_RESULTS } from './jobs.ts';

/** Verifies and prunes of the repositories of Microsoft 365 backups: by schedule, by hand, and as dry run. */

const access = 'o365.repositories' as const;

export const MAINTENANCE_KINDS = ['verify', 'prune'] as const;
export type MaintenanceKind = (typeof MAINTENANCE_KINDS)[number];
/** `quick`: every file is there with its size, and some are read whole. `full`: every byte is read. */
export const VERIFY_DEPTHS = ['quick', 'full'] as const;
export type VerifyDepth = (typeof VERIFY_DEPTHS)[number];

const params = z.strictObject({ id });
const ofKind = z.strictObject({ id, kind: z.enum(MAINTENANCE_KINDS) });

const schedule = {
  isEnabled: z.boolean(),
  dailyType: z.enum(DAILY_TYPES),
  /** `05:00`, in the time zone. */
  dailyTime: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 05:00')),
  timeZone: nameText(60),
  /** Of a verify. */
  depth: z.enum(VERIFY_DEPTHS),
};

export const maintenancePlan = entity(
  'MaintenancePlan',
  z.object({ kind: z.enum(MAINTENANCE_KINDS), ...schedule, nextRun: z.nullable(instant) }),
);
export type MaintenancePlan = z.infer<typeof maintenancePlan>;

const finding = z.object({ level: z.enum(['info', 'warning', 'error']), text: z.string() });
export type Finding = z.infer<typeof finding>;

export const maintenanceRun = entity(
  'MaintenanceRun',
  z.object({
    id,
    kind: z.enum(MAINTENANCE_KINDS),
    depth: z.enum(VERIFY_DEPTHS),
    isDryRun: z.boolean(),
    /** Who started it; `null`: its schedule. */
    username: z.nullable(z.string()),
    startTime: instant,
    endTime: z.nullable(instant),
    status: z.enum(SESSION_RESULTS),
    details: z.nullable(z.string()),
    findings: z.array(finding),
  }),
);
export type MaintenanceRun = z.infer<typeof maintenanceRun>;

export const readMaintenance = declareCall({
  method: 'GET',
  path: '/o365/repositories/{id}/maintenance',
  access,
  params,
  ...itemOf(z.object({ plans: z.array(maintenancePlan), runs: z.array(maintenanceRun) })),
  failure: 'The maintenance of the repository could not be read. Try again later.',
  summary: 'When a repository is verified and pruned, and its last runs with what they found, newest first.',
});

export const editMaintenancePlan = declareCall({
  method: 'PUT',
  path: '/o365/repositories/{id}/maintenance/{kind}',
  access,
  audit: 'm365-maintenance.edit',
  params: ofKind,
  body: z.strictObject(schedule),
  ...itemOf(maintenancePlan),
  failure: 'The maintenance could not be changed. Try again later.',
  summary: 'Changes when a repository is verified or pruned.',
});

export const startMaintenance = declareCall({
  method: 'POST',
  path: '/o365/repositories/{id}/maintenance/{kind}/start',
  access,
  audit: 'm365-maintenance.start',
  params: ofKind,
  body: z.strictObject({
    /** Of a prune: says what would go, and removes nothing. */
    dryRun: z._default(z.boolean(), false),
    /** Of a verify. */
    depth: z._default(z.enum(VERIFY_DEPTHS), 'quick'),
  }),
  ...itemOf(z.object({ runId: id })),
  failure: 'The maintenance could not be started. Try again later.',
  summary: 'Verifies or prunes a repository now.',
});

export const stopMaintenance = declareCall({
  method: 'POST',
  path: '/o365/repositories/{id}/maintenance/stop',
  access,
  audit: 'm365-maintenance.stop',
  params,
  ...itemOf(maintenanceRun),
  failure: 'The maintenance could not be stopped. Try again later.',
  summary: 'Ends the verify or prune that runs. What a prune has removed by then stays removed; the next one goes on.',
});
