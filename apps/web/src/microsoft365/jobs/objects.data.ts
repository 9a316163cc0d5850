import type { SelectedType } from '@keepwatch/contract/microsoft365/jobs';
import {
  type DirectoryObject,
  listOrganizationGroups,
  listOrganizationSites,
  listOrganizationSubsites,
  listOrganizationTeams,
  listOrganizationUsers,
} from '@keepwatch/contract/microsoft365/organizations';
import { ORGANIZATIONS_KEY } from '../../entities/organizations.data.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import { useApi } from '../../kit/portal.tsx';
import type { SelectedItem } from './job-draft.ts';

/** What can be chosen in the directory of an organization. */
export const KINDS = ['User', 'Group', 'Team', 'Site'] as const satisfies readonly SelectedType[];
export type Kind = (typeof KINDS)[number];

const CALLS = {
  User: listOrganizationUsers,
  Group: listOrganizationGroups,
  Team: listOrganizationTeams,
  Site: listOrganizationSites,
} as const;

interface ObjectsQuery {
  organizationId: string;
  kind: Kind;
  search: string;
  /** Of sites: the one whose subsites are listed. */
  siteId: string | null;
}

/** Objects of an organization, a page at a time: there may be tens of thousands. */
export function useObjects({ organizationId, kind, search, siteId }: ObjectsQuery): Pages<DirectoryObject> {
  const api = useApi();
  return usePages({
    queryKey: [...ORGANIZATIONS_KEY, 'objects', { organizationId, kind, search, siteId }],
    load: (place, signal) => {
      const query = search === '' ? place : { ...place, search };
      if (kind === 'Site' && siteId !== null)
        return api.request(listOrganizationSubsites, { params: { organizationId, siteId }, query }, signal);
      return api.request(CALLS[kind], { params: { organizationId }, query }, signal);
    },
  });
}

/** An object as it is chosen, with everything of it but what the specification has off ("microsoft365", part 3). */
export function selectedOf(kind: SelectedType, object: Pick<DirectoryObject, 'id' | 'name'> | null): SelectedItem {
  return {
    type: kind,
    id: object?.id ?? null,
    name: object?.name ?? '',
    mailbox: true,
    archiveMailbox: true,
    oneDrive: true,
    sites: false,
    personalSite: true,
    teams: true,
  };
}
