import { Missing, type ObjectPage, type ObjectQuery } from '@keepwatch/connectors/ports/microsoft365-engine';
import { EngineError, type GraphConnection } from '@keepwatch/engine/engine';
import type { OrganizationKey } from '../organization-services.ts';
import { forgetWalk, walkOf } from './walks.ts';

/** Reads a page of users, groups, teams or sites of an organization's tenant. @throws `Missing` for a site that is not there, and `EngineError` */
export async function readDirectory(
  connection: GraphConnection,
  { providerId, id }: OrganizationKey,
  { limit, offset, search, ...sought }: ObjectQuery,
  signal: AbortSignal,
): Promise<ObjectPage> {
  const query = { ...sought, search: search.trim() };
  const { key, walk } = walkOf(`${providerId} ${id}`, query, offset + limit, Date.now());
  try {
    return await walk.page(connection, offset, limit, signal);
  } catch (error) {
    forgetWalk(key);
    const isGone = query.parentId !== null && error instanceof EngineError && error.code === 'not-found';
    throw isGone ? new Missing('site') : error;
  }
}
