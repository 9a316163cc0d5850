import type { RestoreOrganization } from '../restore-organization.ts';

/** What belongs to a group or team beside what has its id. */
export interface GroupParts {
  /** Ids of its people, however deep. */
  members: readonly string[];
  /** The address of its site; `null` where it has none. */
  siteAddress: string | null;
}

/** Looks up groups and teams. */
export interface GroupReader {
  /** @returns `null` for one that is not there any more @throws where Microsoft does not answer */
  read(organization: RestoreOrganization, groupId: string): Promise<GroupParts | null>;
}
