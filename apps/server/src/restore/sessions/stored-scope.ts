import type { ItemScope, Stored } from '@keepwatch/engine/engine';
import { notFound } from '../../foundation/errors.ts';
import type { RestoreServices } from '../restore-services.ts';

/** Some of an object as it was at a revision, as a row has it: another process opens it again. */
export interface StoredScope {
  repositoryId: string;
  /** Key of the object in its repository. */
  object: string;
  revision: number;
  /** Items with all below them; `null`: all of the object. */
  items: readonly string[] | null;
  showDeleted: boolean;
}

/** Opens a scope in its repository. @throws a 404 where a prune or an erasure took the object since */
export async function openScope(
  services: Pick<RestoreServices, 'openStored'>,
  providerId: number,
  { repositoryId, object: key, ...rest }: StoredScope,
): Promise<{ stored: Stored; scope: ItemScope }> {
  const stored = await services.openStored(providerId, repositoryId);
  const object = await stored.catalog.object(key);
  if (object === null) throw notFound('backup');
  return { stored, scope: { object, ...rest } };
}
