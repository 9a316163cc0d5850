import { openStored, type StoredServices } from './open-stored.ts';
import type { RepositoryKey } from './repository-secrets.ts';

/** Whether a repository has a restore point. One that cannot be opened may have some, too. */
export async function hasBackups(services: StoredServices, { providerId, id }: RepositoryKey): Promise<boolean> {
  try {
    const { catalog } = await openStored(services, providerId, id);
    return (await catalog.listRestorePoints({ limit: 1, offset: 0 })).length > 0;
  } catch {
    return true;
  }
}
