import type { connect, RestoreJournals, Stored } from '@keepwatch/engine/engine';
import type { Pool } from '../foundation/database.ts';
import type { Log } from '../foundation/log.ts';
import type { Scope } from '../foundation/scope.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import type { RestoreOrganization } from './restore-organization.ts';
import type { GroupReader } from './roles/group-reader.ts';
import type { SignInPlatform } from './sign-in/sign-in-platform.ts';

/** A tenant as one of the organization's applications reaches it. */
export type Connected = Awaited<ReturnType<typeof connect>>;

/** What restores need of organizations, repositories and the program around them. */
export interface RestoreServices {
  database: Pool;
  secrets: SecretBox;
  log: Log;
  now(): Date;
  /** `null` for one that is not there, or that the scope does not reach. Refuses one whose engine the restore portal does not open. */
  findOrganization(scope: Scope, id: string): Promise<RestoreOrganization | null>;
  /** Ids of the repositories of an organization. */
  repositoriesOf(organization: RestoreOrganization): Promise<readonly string[]>;
  /** A repository with its part of the catalog, which the process has open: all of it. Calls open it through the reach of their caller. */
  openStored(providerId: number, repositoryId: string): Promise<Stored>;
  /** The applications of an organization that read, or the one that may write. Refuses where there is none. */
  connectOrganization(
    organization: { providerId: number; id: string },
    purpose: 'backup' | 'restore',
  ): Promise<Connected>;
  /** Who is in the groups that restore operator roles name. */
  groups: GroupReader;
  /** Where restores write what they did so far: another worker goes on by it. */
  restoreJournals(stored: Stored): Promise<RestoreJournals>;
  /** Folder of the files that are made to be downloaded. Processes on several machines share it. */
  downloadsFolder: string;
  signIn: SignInPlatform;
}
