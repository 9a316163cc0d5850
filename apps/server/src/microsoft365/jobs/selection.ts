import type { SelectedItem as ChosenItem, NewJob } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { Service } from '@keepwatch/contract/microsoft365/organizations';
import type { ObjectKind, SelectedItem, Selection } from '@keepwatch/engine/engine';

/** What is backed up of each service. */
const KINDS_OF_SERVICE: Readonly<Record<Service, readonly ObjectKind[]>> = {
  exchange: ['mailbox', 'archive'],
  sharepoint: ['drive', 'site'],
  teams: ['team', 'planner'],
  teamsChats: ['chats'],
};

type JobSelection = Pick<NewJob, 'backupType' | 'selected' | 'excluded' | 'withChats'>;

/** Returns which objects a job covers, as the engine selects them. */
export function selectionOf(job: JobSelection, services: readonly Service[]): Selection {
  const kinds = services
    .flatMap((service) => KINDS_OF_SERVICE[service])
    .filter((kind) => kind !== 'chats' || job.withChats);
  const isEverything = job.backupType === 'EntireOrganization';
  const meant = (item: ChosenItem) => itemsOf(item).filter((one) => one.kinds?.some((kind) => kinds.includes(kind)));
  return {
    scope: isEverything ? 'everything' : 'selected',
    kinds,
    include: isEverything ? [] : job.selected.flatMap(meant),
    exclude: job.excluded.filter(({ id }) => id !== null).flatMap(meant),
    personalSites: !job.excluded.some(({ type }) => type === 'PersonalSites'),
  };
}

/** What one chosen item is to the engine. The files of a personal site are the OneDrive of its person. */
function itemsOf(item: ChosenItem): SelectedItem[] {
  const id = item.id ?? '';
  switch (item.type) {
    case 'User':
      return [{ type: 'user', id, kinds: personKinds(item) }];
    case 'Group':
      return [{ type: 'group', id, kinds: [...personKinds(item), 'planner'] }];
    case 'Team':
      return [{ type: 'team', id, kinds: ['team', 'planner', 'drive'] }];
    case 'Site':
      return [{ type: 'site', id, kinds: ['site', 'drive'] }];
    case 'PersonalSites':
      return [
        { type: 'all', id: 'users', kinds: ['drive'] },
        { type: 'all', id: 'personal-sites', kinds: ['site'] },
      ];
    case 'PartialOrganization':
      return partItems(item);
  }
}

function personKinds({ mailbox, archiveMailbox, oneDrive }: ChosenItem): ObjectKind[] {
  return [
    ...(mailbox ? (['mailbox'] as const) : []),
    ...(archiveMailbox ? (['archive'] as const) : []),
    ...(oneDrive ? (['drive'] as const) : []),
    'chats',
  ];
}

function partItems(item: ChosenItem): SelectedItem[] {
  const { mailbox, sites, personalSite, teams } = item;
  const groupKinds: ObjectKind[] = [
    ...(mailbox ? (['mailbox'] as const) : []),
    ...(teams ? (['team', 'planner', 'drive'] as const) : []),
  ];
  return [
    { type: 'all', id: 'users', kinds: personKinds(item) },
    { type: 'all', id: 'groups', kinds: groupKinds },
    ...(sites ? [{ type: 'all', id: 'sites', kinds: ['site', 'drive'] } as const] : []),
    ...(personalSite ? [{ type: 'all', id: 'personal-sites', kinds: ['site'] } as const] : []),
  ];
}
