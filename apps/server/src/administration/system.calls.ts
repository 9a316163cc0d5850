import type { MailServices } from '../connections/send-mail.ts';
import type { Route } from '../foundation/http/routes.ts';
import { type BackupParts, backupCalls } from './backups/backups.calls.ts';
import { type SecretKeyParts, secretKeyCalls } from './secret-key/secret-key.calls.ts';
import { testMailCalls } from './test-mail/test-mail.calls.ts';

/** The calls about what the portal itself is set up with. */
export function systemCalls(parts: BackupParts & SecretKeyParts & MailServices): Route[] {
  return [...backupCalls(parts), ...testMailCalls(parts), ...secretKeyCalls(parts)];
}
