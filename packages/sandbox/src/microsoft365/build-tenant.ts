import { Applications } from './applications/applications.ts';
import { firstBehaviours } from './behaviours/behaviours.ts';
import { buildChats } from './chats/fill-chats.ts';
import { buildThreads } from './conversations/fill-threads.ts';
import { buildDirectory } from './directory/build-directory.ts';
import { Drives } from './drives/drives.ts';
import { peopleOf } from './drives/people-of.ts';
import { AttachmentUploads } from './mail/attachment-uploads.ts';
import { Mailboxes } from './mailbox/mailboxes.ts';
import { ImportSessions } from './mailbox-transfer/import-sessions.ts';
import { buildPlanner } from './planner/fill-planner.ts';
import { buildSites } from './sites/build-sites.ts';
import { fillTeams } from './teams/fill-teams.ts';
import { Teams } from './teams/teams.ts';
import type { Tenant } from './tenant.ts';
import type { TenantFacts } from './tenant-facts.ts';

/** A tenant with all of its world. */
export function buildTenant(facts: TenantFacts): Tenant {
  const directory = buildDirectory(facts);
  const applications = new Applications(facts.newId, facts.madeMs);
  const drives = new Drives(facts.id, peopleOf(directory));
  const sites = buildSites(facts, directory, drives);
  const behaviours = { ...firstBehaviours };
  const tenant: Tenant = {
    ...facts,
    directory,
    applications,
    mailboxes: new Mailboxes(facts, directory, behaviours),
    importSessions: new ImportSessions(facts.newId, facts.nowMs),
    hasMailboxTransfer: true,
    deniesConsent: false,
    meetingMails: [],
    automaticReplies: [],
    mailboxShares: new Map(),
    attachmentUploads: new AttachmentUploads(facts.newId, facts.nowMs),
    behaviours,
    drives,
    sites,
    teams: new Teams(),
    chats: buildChats(facts, drives.people),
    groupThreads: buildThreads(facts, directory),
    planner: buildPlanner(facts, directory),
    reports: { concealsNames: false },
  };
  fillTeams(tenant);
  return tenant;
}
