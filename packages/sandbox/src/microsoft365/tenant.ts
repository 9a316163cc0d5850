import type { Applications } from './applications/applications.ts';
import type { Behaviours } from './behaviours/behaviours.ts';
import type { MeetingMail } from './calendar/meeting-mails.ts';
import type { Chats } from './chats/chats.ts';
import type { GroupThreads } from './conversations/group-threads.ts';
import type { Directory } from './directory/directory.ts';
import type { Drives } from './drives/drives.ts';
import type { AttachmentUploads } from './mail/attachment-uploads.ts';
import type { Mailboxes } from './mailbox/mailboxes.ts';
import type { AutomaticReply } from './mailbox/own-settings.ts';
import type { ImportSessions } from './mailbox-transfer/import-sessions.ts';
import type { Planner } from './planner/plan.ts';
import type { Reports } from './reports/reports.ts';
import type { Sites } from './sites/sites.ts';
import type { Teams } from './teams/teams.ts';
import type { TenantFacts } from './tenant-facts.ts';

/** The parts of a tenant; each folder beside this file declares its own state and the routes over it. */
export interface Tenant extends TenantFacts {
  directory: Directory;
  applications: Applications;
  mailboxes: Mailboxes;
  attachmentUploads: AttachmentUploads;
  /** Mails about meetings that the server sent because a user changed them, oldest first. */
  meetingMails: MeetingMail[];
  /** Automatic answers of mailboxes, oldest first. */
  automaticReplies: AutomaticReply[];
  importSessions: ImportSessions;
  /** Whether mailboxes can be exported and imported as whole items. */
  hasMailboxTransfer: boolean;
  /** Whether delegated scopes need a consent on record; otherwise every user consents by signing in. */
  deniesConsent: boolean;
  /** By the user of a mailbox, who else may open it when they sign in. */
  mailboxShares: Map<string, ReadonlySet<string>>;
  /** What it does that real tenants do. */
  behaviours: Behaviours;
  drives: Drives;
  sites: Sites;
  teams: Teams;
  chats: Chats;
  groupThreads: GroupThreads;
  planner: Planner;
  reports: Reports;
}
