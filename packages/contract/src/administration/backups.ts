import * as z from 'zod/mini';
import { declareCall, file } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { instant, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';

/** Backups of the portal's own database, for those who run the installation. */

/** What is typed to confirm that a backup replaces the database. */
export const RESTORE_WORD = 'replace';
export const BACKUPS_MAX = 60;

const backupName = text(60).check(
  z.regex(
    /^keepwatch-\d{8}T\d{6}Z\.backup$/,
    'must be the name of a backup, such as keepwatch-20260131T083000Z.backup',
  ),
);

export const portalBackup = entity(
  'PortalBackup',
  z.object({
    name: z.string(),
    createdAt: instant,
    sizeBytes: z.int(),
    /** SHA-256 of all bytes before it, as the file has it at its end. */
    checksum: z.string(),
    /** Version of the portal that made it. */
    program: z.string(),
    /** Ids of the keys with which the stored secrets in it are sealed; none for one of an earlier version. */
    keys: z.array(z.string()),
  }),
);
export type PortalBackup = z.infer<typeof portalBackup>;

const backupPlan = z.strictObject({
  isOn: z.boolean(),
  /** In UTC. */
  at: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 22:00')),
  /** The oldest are deleted beyond so many. */
  keep: z.int().check(z.minimum(1), z.maximum(BACKUPS_MAX)),
});
export type BackupPlan = z.infer<typeof backupPlan>;

export const portalBackups = entity(
  'PortalBackups',
  z.object({
    /** Whether the database is the portal's own: a server of `DATABASE_URL` is backed up with its own tools. */
    isAvailable: z.boolean(),
    folder: z.string(),
    running: z.nullable(z.object({ since: instant, doneBytes: z.int(), totalBytes: z.int() })),
    /** Why the last one failed, unless another has succeeded since. */
    failure: z.nullable(z.object({ at: instant, message: z.string() })),
    plan: backupPlan,
    /** The newest first. */
    backups: z.array(portalBackup),
  }),
);
export type PortalBackups = z.infer<typeof portalBackups>;

const access = 'admin.backups' as const;
const params = z.strictObject({ name: backupName });

export const listPortalBackups = declareCall({
  method: 'GET',
  path: '/admin/backups',
  access,
  ...itemOf(portalBackups),
  failure: 'The backups could not be read, try again later.',
  summary: "Backups of the portal's own database, what is being made, and when the next ones are.",
});

export const startPortalBackup = declareCall({
  method: 'POST',
  path: '/admin/backups',
  access,
  needs: 'session',
  audit: 'portal-backup.start',
  ...done,
  failure: 'The backup could not be started, try again later.',
  summary: "Backs up the portal's own database now, in the background.",
});

export const editBackupPlan = declareCall({
  method: 'PUT',
  path: '/admin/backups/plan',
  access,
  needs: 'session',
  audit: 'portal-backup.edit-plan',
  body: backupPlan,
  ...done,
  failure: 'The schedule of the backups could not be saved, try again later.',
  summary: 'Sets when the database is backed up automatically, and how many backups stay.',
});

export const fetchPortalBackup = declareCall({
  method: 'GET',
  path: '/admin/backups/{name}/file',
  access,
  needs: 'own-session',
  audit: 'portal-backup.fetch',
  params,
  reply: file({ types: ['application/octet-stream'], ranges: true }),
  failure: 'The backup could not be read, try again later.',
  summary: 'The file of a backup. A client that broke off goes on with a range.',
});

export const deletePortalBackup = declareCall({
  method: 'DELETE',
  path: '/admin/backups/{name}',
  access,
  needs: 'session',
  audit: 'portal-backup.delete',
  params,
  ...done,
  failure: 'The backup could not be deleted, try again later.',
  summary: 'Deletes a backup.',
});

export const preparePortalRestore = declareCall({
  method: 'POST',
  path: '/admin/backups/{name}/restore',
  access,
  needs: 'own-session',
  audit: 'portal-backup.prepare-restore',
  params,
  body: z.strictObject({ confirmation: z.literal(RESTORE_WORD, `Type ${RESTORE_WORD} to confirm.`) }),
  ...itemOf(z.object({ commands: z.array(z.object({ label: z.string(), command: z.string() })) })),
  failure: 'The backup could not be checked, try again later.',
  summary:
    'Reads a whole backup, refuses one that was cut off or changed, and says with which commands it replaces the database.',
});
