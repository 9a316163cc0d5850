import { join } from 'node:path';
import type { Pool } from '../foundation/database.ts';
import type { Log } from '../foundation/log.ts';
import { Scope } from '../foundation/scope.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import { requireFeature } from '../microsoft365/engine/engine-features.ts';
import { connectOrganization } from '../microsoft365/organizations/connect-organization.ts';
import type { MicrosoftAddresses } from '../microsoft365/organizations/microsoft-place.ts';
import { findOrganization } from '../microsoft365/organizations/organizations.ts';
import { openStored } from '../microsoft365/repositories/open-stored.ts';
import { listRepositories } from '../microsoft365/repositories/repositories.ts';
import type { StoredRepositories } from '../microsoft365/repositories/stored-repositories.ts';
import type { RestoreOrganization } from './restore-organization.ts';
import type { RestoreServices } from './restore-services.ts';
import { openGroupReader } from './roles/read-groups.ts';
import { microsoftSignIn } from './sign-in/microsoft-sign-in.ts';

/** What the program has for restores. */
export interface RestoreParts {
  database: Pool;
  secrets: SecretBox;
  log: Log;
  now(): Date;
  stored: StoredRepositories;
  microsoft: MicrosoftAddresses;
  /** In it is the folder of downloads. */
  dataDir: string;
}

/** Puts together what restores need of organizations and repositories. */
export function openRestoreServices(parts: RestoreParts): RestoreServices {
  const { database, secrets, log, now, stored, microsoft, dataDir } = parts;
  const connect: RestoreServices['connectOrganization'] = (organization, purpose) =>
    connectOrganization({ database, secrets, microsoft }, organization, purpose);
  return {
    database,
    secrets,
    log,
    now,
    findOrganization: (scope, id) => organizationOf(database, scope, id),
    async repositoriesOf({ providerId, id }) {
      // The organization was found within the scope of the caller; its repositories are its own.
      const all = await listRepositories(database, wholeProvider(providerId), { organizationIds: [id] });
      return all.map((repository) => repository.id);
    },
    openStored: (providerId, repositoryId) => openStored({ database, secrets, stored }, providerId, repositoryId),
    connectOrganization: connect,
    groups: openGroupReader({ connectOrganization: connect, now }),
    restoreJournals: async ({ repository }) => (await stored.catalog()).restoreJournals(repository.id),
    downloadsFolder: join(dataDir, 'downloads'),
    signIn: microsoftSignIn(microsoft),
  };
}

const wholeProvider = (providerId: number) => new Scope(providerId, null);

async function organizationOf(database: Pool, scope: Scope, id: string): Promise<RestoreOrganization | null> {
  const found = await findOrganization(database, scope, id);
  if (found === null) return null;
  const { companyId, name, tenantId, region, engine } = found;
  requireFeature({ organizationName: name, engine }, 'restore');
  return { providerId: scope.providerId, id: found.id, companyId, name, tenantId, region };
}
