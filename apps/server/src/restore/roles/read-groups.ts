import { EngineError } from '@keepwatch/engine/engine';
import type { Connected, RestoreServices } from '../restore-services.ts';
import type { GroupParts, GroupReader } from './group-reader.ts';

/** Who joins or leaves a group gains or loses it after this time at the latest. */
const FRESH_MS = 5 * 60 * 1_000;
const GROUPS_MAX = 1_000;

/** Reads groups at Microsoft, each at most once in five minutes. */
export function openGroupReader({
  connectOrganization,
  now,
}: Pick<RestoreServices, 'connectOrganization' | 'now'>): GroupReader {
  const known = new Map<string, { readMs: number; parts: Promise<GroupParts | null> }>();
  return {
    read(organization, groupId) {
      const key = `${organization.providerId} ${organization.id} ${groupId}`;
      const found = known.get(key);
      const nowMs = now().getTime();
      if (found !== undefined && nowMs - found.readMs < FRESH_MS) return found.parts;
      if (known.size >= GROUPS_MAX) known.clear();
      const parts = connectOrganization(organization, 'backup').then((connection) => readGroup(connection, groupId));
      known.set(key, { readMs: nowMs, parts });
      // What failed is asked again.
      parts.catch(() => known.delete(key));
      return parts;
    },
  };
}

/** https://learn.microsoft.com/graph/api/group-list-transitivemembers and https://learn.microsoft.com/graph/api/site-get */
async function readGroup(connection: Connected, groupId: string): Promise<GroupParts | null> {
  const group = `/groups/${encodeURIComponent(groupId)}`;
  const members: string[] = [];
  try {
    for await (const { value } of connection.pages({ path: `${group}/transitiveMembers?$top=999` }))
      for (const { id } of value) if (typeof id === 'string') members.push(id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return { members, siteAddress: await readSiteAddress(connection, group) };
}

async function readSiteAddress(connection: Connected, group: string): Promise<string | null> {
  try {
    const { webUrl } = await connection.ask({ path: `${group}/sites/root?$select=id,webUrl` });
    return typeof webUrl === 'string' ? webUrl : null;
  } catch (error) {
    // A distribution list and a security group have no site.
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof EngineError && 'status' in error && (error.status === 404 || error.status === 400);
}
