import { Applications } from './applications/applications.ts';
import type { Chats } from './chats/chats.ts';
import { buildChats } from './chats/fill-chats.ts';
import { buildDirectory } from './directory/build-directory.ts';
import type { Directory } from './directory/directory.ts';
import { Drives } from './drives/drives.ts';
import { peopleOf } from './drives/people-of.ts';
import { AttachmentUploads } from './mail/attachment-uploads.ts';
import { Mailboxes } from './mailbox/mailboxes.ts';
import { ImportSessions } from './mailbox-transfer/import-sessions.ts';
import type { Reports } from './reports/report-routes.ts';
import { buildSites } from './sites/build-sites.ts';
import type { Sites } from './sites/sites.ts';
import { fillTeams } from './teams/fill-teams.ts';
import { Teams } from './teams/teams.ts';
import type { ChangeLog } from './wire/change-log.ts';

export const tenantSizes = ['empty', 'small', 'medium', 'large'] as const;

/** `empty` has one administrator, `small` 5 users, `medium` 100, `large` 100 of which the first has a huge mailbox. */
export type TenantSize = (typeof tenantSizes)[number];

/** What every part of a tenant is made from. */
export interface TenantFacts {
  /** Directory id, a GUID. */
  id: string;
  /** Such as `contoso.onmicrosoft.com`. */
  domain: string;
  displayName: string;
  /** The world is a function of seed and size. */
  seed: number;
  size: TenantSize;
  /** The instant the world was made at; its past lies before it. */
  madeMs: number;
  /** Milliseconds of the tenant's clock. */
  nowMs: () => number;
  /** Deterministic ids: the same tenant gives the same ids in the same order of creation. */
  newId: () => string;
  /** Users, groups and what is deleted of them. */
  directoryChanges: ChangeLog;
}

/** The parts of a tenant; each folder beside this file declares its own state and the routes over it. */
export interface Tenant extends TenantFacts {
  directory: Directory;
  applications: Applications;
  mailboxes: Mailboxes;
  attachmentUploads: AttachmentUploads;
  importSessions: ImportSessions;
  /** Whether mailboxes can be exported and imported as whole items. */
  hasMailboxTransfer: boolean;
  /** Whether delegated scopes need a consent on record; otherwise whoever signs in consents by it. */
  deniesConsent: boolean;
  drives: Drives;
  sites: Sites;
  teams: Teams;
  chats: Chats;
  reports: Reports;
}

export function buildTenant(facts: TenantFacts): Tenant {
  const directory = buildDirectory(facts);
  const applications = new Applications(facts.newId, facts.madeMs);
  const drives = new Drives(facts.id, peopleOf(directory));
  const sites = buildSites(facts, directory, drives);
  const tenant: Tenant = {
    ...facts,
    directory,
    applications,
    mailboxes: new Mailboxes(facts, directory),
    importSessions: new ImportSessions(facts.newId, facts.nowMs),
    hasMailboxTransfer: true,
    deniesConsent: false,
    attachmentUploads: new AttachmentUploads(facts.newId, facts.nowMs),
    drives,
    sites,
    teams: new Teams(),
    chats: buildChats(facts, drives.people),
    reports: { concealsNames: false },
  };
  fillTeams(tenant);
  return tenant;
}
