import type { Command } from './command.ts';

/** What the help says of a command, and where the command is. */
export interface CommandEntry {
  /** One word, or two (`tenant check`). */
  name: string;
  summary: string;
  /** Loaded when it is used: the help does not wait for Graph, PostgreSQL and S3. */
  load(): Promise<Command>;
}

export interface CommandGroup {
  title: string;
  commands: readonly CommandEntry[];
}

/** Every command, in the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Begin',
    commands: [
      {
        name: 'init',
        summary: 'Makes a repository in an empty folder or bucket',
        load: async () => (await import('./commands/init.ts')).init,
      },
      {
        name: 'tenant check',
        summary: 'Tests how a tenant is reached, and says which permissions are missing',
        load: async () => (await import('./commands/tenant-check.ts')).tenantCheck,
      },
      {
        name: 'tenant objects',
        summary: 'Lists what could be backed up',
        load: async () => (await import('./commands/tenant-objects.ts')).tenantObjects,
      },
    ],
  },
  {
    title: 'Back up',
    commands: [
      {
        name: 'backup',
        summary: 'Reads what changed in an organization and makes a restore point',
        load: async () => (await import('./commands/backup.ts')).backup,
      },
    ],
  },
  {
    title: 'Look',
    commands: [
      {
        name: 'restore-points',
        summary: 'Lists what can be gone back to, newest first',
        load: async () => (await import('./commands/restore-points.ts')).restorePoints,
      },
      {
        name: 'objects',
        summary: 'Lists the mailboxes, drives, sites and teams of a restore point',
        load: async () => (await import('./commands/objects.ts')).objects,
      },
      {
        name: 'browse',
        summary: 'Lists what a folder held at a restore point',
        load: async () => (await import('./commands/browse.ts')).browse,
      },
      {
        name: 'versions',
        summary: 'Lists every stored version of an item',
        load: async () => (await import('./commands/versions.ts')).versions,
      },
      {
        name: 'search',
        summary: 'Finds items by words, people, kind and date, over all of time or at a restore point',
        load: async () => (await import('./commands/search.ts')).search,
      },
    ],
  },
  {
    title: 'Bring back',
    commands: [
      {
        name: 'size',
        summary: 'Says how many items and bytes an export or a restore would move',
        load: async () => (await import('./commands/size.ts')).size,
      },
      {
        name: 'restore',
        summary: 'Puts items back where they were, or elsewhere; begun again after it was broken off, it goes on',
        load: async () => (await import('./commands/restore.ts')).restore,
      },
      {
        name: 'export',
        summary: 'Writes a mailbox as PST, an item as MSG or EML, files and the posts of a team as ZIP',
        load: async () => (await import('./commands/export.ts')).exportItems,
      },
    ],
  },
  {
    title: 'Look after',
    commands: [
      {
        name: 'verify',
        summary: 'Checks that what was backed up can be brought back, and names every item that cannot',
        load: async () => (await import('./commands/verify.ts')).verify,
      },
      {
        name: 'prune',
        summary: 'Deletes what is older than the retention; what is current stays',
        load: async () => (await import('./commands/prune.ts')).prune,
      },
      {
        name: 'erase',
        summary: 'Erases an object, a user or an organization from all restore points, for good',
        load: async () => (await import('./commands/erase.ts')).erase,
      },
      {
        name: 'rebuild',
        summary: 'Rebuilds the catalog from the repository alone, when the database was lost',
        load: async () => (await import('./commands/rebuild.ts')).rebuild,
      },
      {
        name: 'locks',
        summary: 'Says who works in the repository: program, machine and process, and since when',
        load: async () => (await import('./commands/locks.ts')).locks,
      },
      {
        name: 'passwords',
        summary: 'Lists the passwords of the repository; adds, changes or removes one',
        load: async () => (await import('./commands/passwords.ts')).passwords,
      },
    ],
  },
];

export const COMMANDS: readonly CommandEntry[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);
