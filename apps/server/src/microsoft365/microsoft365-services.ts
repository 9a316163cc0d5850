import type { GraphConnection } from '@keepwatch/engine/engine';
import type { Pool } from '../foundation/database.ts';
import type { Log } from '../foundation/log.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import type { OrganizationKey } from './organizations/organization-services.ts';
import type { StoredRepositories } from './repositories/stored-repositories.ts';

/** What repositories, jobs and runs need beside a request's own services. */
export interface Microsoft365Services {
  database: Pool;
  secrets: SecretBox;
  log: Log;
  now(): Date;
  stored: StoredRepositories;
}

/** Connects to an organization with its applications that read; the connection is the process's and stays open. */
export type ConnectOrganization = (organization: OrganizationKey) => Promise<GraphConnection>;
