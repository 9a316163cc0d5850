import { applicationRoutes } from './applications/application-routes.ts';
import { servicePrincipalRoutes } from './applications/service-principal-routes.ts';
import { calendarRoutes } from './calendar/calendar-routes.ts';
import { eventRoutes } from './calendar/event-routes.ts';
import { chatRoutes } from './chats/chat-routes.ts';
import { contactRoutes } from './contacts/contact-routes.ts';
import { threadRoutes } from './conversations/thread-routes.ts';
import { directoryRoutes } from './directory/directory-routes.ts';
import { driveOpenRoutes } from './drives/open-routes.ts';
import { attachmentRoutes } from './mail/attachment-routes.ts';
import { attachmentUploadRoutes } from './mail/attachment-upload-routes.ts';
import { mailFolderRoutes } from './mail/folder-routes.ts';
import { messageRoutes } from './mail/message-routes.ts';
import { ownSettingsRoutes } from './mailbox/own-settings-routes.ts';
import { importOpenRoutes, transferRoutes } from './mailbox-transfer/transfer-routes.ts';
import { plannerRoutes } from './planner/planner-routes.ts';
import { reportOpenRoutes, reportRoutes } from './reports/report-routes.ts';
import { siteRoutes } from './sites/site-routes.ts';
import { teamRoutes } from './teams/team-routes.ts';
import { todoRoutes } from './todo/todo-routes.ts';
import type { GraphRoute } from './wire/graph-call.ts';

/** What every folder answers below `/v1.0`. */
export const routes: readonly GraphRoute[] = [
  ...directoryRoutes,
  ...transferRoutes,
  ...calendarRoutes,
  ...eventRoutes,
  ...contactRoutes,
  ...todoRoutes,
  ...applicationRoutes,
  ...servicePrincipalRoutes,
  ...ownSettingsRoutes,
  ...mailFolderRoutes,
  ...messageRoutes,
  ...attachmentRoutes,
  ...siteRoutes,
  ...teamRoutes,
  ...chatRoutes,
  ...threadRoutes,
  ...plannerRoutes,
  ...reportRoutes,
];

/**
 * What every folder answers elsewhere without a token, such as pre-authenticated links to upload to and download from.
 * Paths start at the root; the caller has no permissions and belongs to the tenant `{tenant}` of the path.
 */
export const openRoutes: readonly GraphRoute[] = [
  ...attachmentUploadRoutes,
  ...importOpenRoutes,
  ...driveOpenRoutes,
  ...reportOpenRoutes,
];
