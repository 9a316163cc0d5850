import {
  listOrganizationSites,
  listOrganizationTeams,
  listOrganizationUsers,
} from '@keepwatch/contract/microsoft365/organizations';
import { searchRestoreSession } from '@keepwatch/contract/restore/items';
import { listMailboxFolders, listMailboxItems, listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import type { SessionType } from '@keepwatch/contract/restore/sessions';
import { listRestoreSites, listSiteContent } from '@keepwatch/contract/restore/sites';
import { addressOf } from '@keepwatch/contract/wire/client';
import { SITES, USERS } from './bench-tenant.ts';
import { FOLDER_SEARCHES, MAILBOX_SEARCHES, SEARCHES } from './searched.ts';

/** A request that a screen makes; each round asks for something else of the same kind, so that no answer is one that was remembered. */
export interface MeasuredPage {
  group: 'picker' | 'tree' | 'search';
  name: string;
  address(round: number): string;
}

export const ROWS = 50;

/** The lists from which a job's objects are chosen. @param organizationIds one a round: each has never been looked at */
export function pickerPages(organizationIds: readonly string[]): MeasuredPage[] {
  const lists = { users: listOrganizationUsers, teams: listOrganizationTeams, sites: listOrganizationSites } as const;
  const page = (name: string, list: keyof typeof lists, query: (round: number) => Record<string, string | number>) => ({
    group: 'picker' as const,
    name,
    address: (round: number) =>
      addressOf(lists[list], {
        params: { organizationId: organizationIds[round % organizationIds.length] ?? '' },
        query: { limit: ROWS, ...query(round) },
      }),
  });
  return [
    page(`${USERS} users`, 'users', () => ({})),
    page('a user searched', 'users', (round) => ({ search: `Person ${String(round * 7).padStart(5, '0')}` })),
    page('the last users', 'users', () => ({ offset: USERS - ROWS })),
    page('teams', 'teams', () => ({})),
    page(`${SITES} sites`, 'sites', () => ({})),
    page('a site searched', 'sites', (round) => ({ search: `project ${String(round * 7).padStart(5, '0')}` })),
  ];
}

/** What was opened, by the explorer that shows it. */
export interface OpenSessions {
  idOf: Readonly<Record<Extract<SessionType, 'vex' | 'vesp'>, string>>;
  /** As the lists of the sessions name them. */
  mailboxId: string;
  folderId: string;
  siteId: string;
  /** Addresses, as the links of the pages before have them. */
  lastMailboxes: string;
  lastSites: string;
}

/** The lists of the explorers. */
export function treePages(opened: OpenSessions): MeasuredPage[] {
  const { idOf, mailboxId, folderId, siteId } = opened;
  const mail = { restoreSessionId: idOf.vex };
  const sites = { restoreSessionId: idOf.vesp };
  const items = (query: Record<string, string | number>) =>
    addressOf(listMailboxItems, {
      params: { ...mail, mailboxId },
      query: { parentId: folderId, limit: ROWS, ...query },
    });
  const tree = (name: string, address: (round: number) => string): MeasuredPage => ({ group: 'tree', name, address });
  return [
    tree(`${USERS} mailboxes`, () => addressOf(listRestoreMailboxes, { params: mail, query: { limit: ROWS } })),
    tree('the last mailboxes', () => opened.lastMailboxes),
    tree('a mailbox searched', (round) =>
      addressOf(listRestoreMailboxes, { params: mail, query: { limit: ROWS, search: `Person 00${round}` } }),
    ),
    tree('folders of a mailbox', () => addressOf(listMailboxFolders, { params: { ...mail, mailboxId } })),
    tree('50,000 items by date', () => items({ sort: '-date' })),
    tree('50,000 items by name', () => items({ sort: 'name' })),
    tree('items in the middle', (round) => items({ sort: '-date', offset: 25_000 + round * ROWS })),
    tree(`${SITES} sites`, () => addressOf(listRestoreSites, { params: sites, query: { limit: ROWS } })),
    tree('the last sites', () => opened.lastSites),
    tree('a site searched', (round) =>
      addressOf(listRestoreSites, { params: sites, query: { limit: ROWS, search: `project 00${round}` } }),
    ),
    tree('content of a site', () => addressOf(listSiteContent, { params: { ...sites, siteId } })),
  ];
}

export function searchPages({ idOf, mailboxId, folderId }: OpenSessions): MeasuredPage[] {
  const pages = (searches: typeof SEARCHES, place: Record<string, string>): MeasuredPage[] =>
    searches.map(([name, asked]) => ({
      group: 'search',
      name,
      address: (round) =>
        addressOf(searchRestoreSession, {
          params: { restoreSessionId: idOf.vex },
          query: { limit: ROWS, ...place, ...asked(round) },
        }),
    }));
  return [
    ...pages(SEARCHES, {}),
    ...pages(MAILBOX_SEARCHES, { objectId: mailboxId }),
    ...pages(FOLDER_SEARCHES, { objectId: mailboxId, parentId: folderId }),
  ];
}
