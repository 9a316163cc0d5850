import type { Route } from '../foundation/http/routes.ts';
import { downloadCalls } from './downloads/downloads.calls.ts';
import { chatCalls } from './explorers/chats.calls.ts';
import { driveChangeCalls } from './explorers/drive-changes.calls.ts';
import { driveCalls } from './explorers/drives.calls.ts';
import { itemCalls } from './explorers/items.calls.ts';
import { mailDownloadCalls } from './explorers/mail-downloads.calls.ts';
import { mailRestoreCalls } from './explorers/mail-restores.calls.ts';
import { mailboxCalls } from './explorers/mailboxes.calls.ts';
import { siteChangeCalls } from './explorers/sites/site-changes.calls.ts';
import { siteCalls } from './explorers/sites/sites.calls.ts';
import { teamChangeCalls } from './explorers/team-changes.calls.ts';
import { teamCalls } from './explorers/teams.calls.ts';
import { previewCalls } from './items/previews.calls.ts';
import { threadCalls } from './items/threads.calls.ts';
import { versionCalls } from './items/versions.calls.ts';
import { operationCalls } from './operations/operations.calls.ts';
import type { RestoreServices } from './restore-services.ts';
import { roleCalls } from './roles/roles.calls.ts';
import { sessionCalls } from './sessions/sessions.calls.ts';
import { signInCalls } from './sign-in/sign-in.calls.ts';

/** The restore portal: sessions, explorers, restores, downloads, and who may see what in it. */
export function restoreCalls(services: RestoreServices): Route[] {
  return [
    ...signInCalls(services),
    ...sessionCalls(services),
    ...operationCalls(services),
    ...mailboxCalls(services),
    ...mailRestoreCalls(services),
    ...mailDownloadCalls(services),
    ...driveCalls(services),
    ...driveChangeCalls(services),
    ...teamCalls(services),
    ...teamChangeCalls(services),
    ...chatCalls(services),
    ...siteCalls(services),
    ...siteChangeCalls(services),
    ...itemCalls(services),
    ...previewCalls(services),
    ...threadCalls(services),
    ...versionCalls(services),
    ...downloadCalls(services),
    ...roleCalls(services),
  ];
}
