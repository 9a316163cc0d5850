import type { Tenant } from '../tenant.ts';

/** Lets a tenant be as strict as a real one, a little of everything: what a demonstration should show. */
export function behaveAsRealTenants(tenant: Tenant): void {
  const { behaviours, directory, sites } = tenant;
  const quiet = sites.all().filter(({ facts, isPersonal, parent }) => !facts.groupId && !isPersonal && !parent);
  const [locked, archived, moved] = quiet.filter(({ facts }) => facts.path !== '' && facts.path !== '/sites/intranet');
  const shared = directory.users.findLast(({ mailbox, skuIds }) => mailbox !== null && skuIds.length === 0);
  const [renamed] = directory.users.filter(({ mailbox }) => mailbox !== null);
  const colleague = directory.users.findLast(({ mailbox, skuIds }) => mailbox !== null && skuIds.length > 0);
  const idOf = (one: { id: string } | undefined) => (one === undefined ? [] : [one.id]);
  Object.assign(behaviours, {
    lockedSites: idOf(locked),
    archivedSites: idOf(archived),
    redirectedSites: idOf(moved),
    remadeFolders: [...idOf(colleague), ...idOf(aDriveWithFolders(tenant))],
    rewrittenFiles: idOf(aFileOf(tenant)),
    closedMailboxes: idOf(shared),
    formerOwners: idOf(renamed),
    laggingLists: true,
    satelliteSites: true,
    sharedCalendars: true,
    searchFolders: true,
    archiveDeltaWithoutExpand: true,
    partialTombstones: true,
  });
}

function aDriveWithFolders({ drives }: Tenant): { id: string } | undefined {
  for (const drive of drives.all()) {
    const isFilled = [...drive.all()].some(({ kind, children }) => kind === 'folder' && children.size > 0);
    if (isFilled && drive.facts.driveType === 'business') return drive.facts;
  }
  return undefined;
}

function aFileOf({ drives }: Tenant): { id: string } | undefined {
  for (const drive of drives.all())
    for (const item of drive.all()) if (item.kind === 'file' && item.size > 0) return item;
  return undefined;
}
