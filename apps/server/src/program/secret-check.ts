import { sql } from 'drizzle-orm';
import { forgetChatSecrets } from '../branding/chat-secrets.ts';
import { canOpenSettings } from '../connections/connection-settings.ts';
import { findSealedSecrets, removeAllSecrets } from '../connections/connections.ts';
import { type Connection, execute, row } from '../foundation/database.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import { insert } from '../foundation/table-writes.ts';
import { forgetApplications } from '../microsoft365/organizations/applications.ts';
import { secretCheck } from './tables.ts';

const CONTEXT = 'secret check';
const TEXT = 'keepwatch';

/** The key of this start is not the one that sealed what is in the database; the message is one line for the person. */
export class OtherSecret extends Error {}

/**
 * Compares the key with the one that sealed the stored secrets, which several machines with one database must share. The first
 * start leaves a text sealed with its key for the others to open.
 * @param origin where the key came from, for the message
 */
export async function checkSecret(connection: Connection, box: SecretBox, origin: string): Promise<void> {
  // Of machines that start at once only one leaves the text: the others look at that one.
  if ((await isOwnKey(connection, box)) && (await leaveCheck(connection, box))) return;
  throw new OtherSecret(
    `The secrets in the database were sealed with another key than ${origin}. All machines with one database need the same key: ` +
      'set KEEPWATCH_SECRET to it, or bring its file "secret" into DATA_DIR. If it is lost, start once with FORGET_STORED_SECRETS=true, ' +
      'which removes the stored secrets, and enter those of the sources again.',
  );
}

/** Removes everything that was sealed: people enter the secrets of connections and organizations again. */
export async function forgetSecrets(connection: Connection): Promise<void> {
  await removeAllSecrets(connection);
  await forgetApplications(connection);
  await forgetChatSecrets(connection);
  await execute(connection, sql`delete from secret_check`);
}

/** Versions before the check left none: then the secrets of a connection say it. */
async function isOwnKey(connection: Connection, box: SecretBox): Promise<boolean> {
  const check = await row<{ sealed: Buffer }>(connection, sql`select sealed from secret_check`);
  if (check !== null) return opens(box, check.sealed);
  const sealed = await findSealedSecrets(connection);
  return sealed === null || canOpenSettings(box, sealed);
}

function opens(box: SecretBox, sealed: Buffer): boolean {
  try {
    return box.open(sealed, CONTEXT) === TEXT;
  } catch {
    return false;
  }
}

/** Whether the text that is there now was sealed with this key. */
async function leaveCheck(connection: Connection, box: SecretBox): Promise<boolean> {
  await insert(connection, secretCheck, { sealed: box.seal(TEXT, CONTEXT) }, sql`on conflict do nothing`);
  const check = await row<{ sealed: Buffer }>(connection, sql`select sealed from secret_check`);
  return check !== null && opens(box, check.sealed);
}
