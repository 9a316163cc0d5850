import { SEALED_COLUMNS } from '../administration/secret-key/sealed-columns.ts';
import {
  forgetMarks,
  leaveMark,
  readMarks,
  type SecretMarks,
  settleMarks,
} from '../administration/secret-key/secret-marks.ts';
import { canOpenSettings } from '../connections/connection-settings.ts';
import { findSealedSecrets } from '../connections/connections.ts';
import { type Connection, type Pool, transaction } from '../foundation/database.ts';
import { keyIdOf, keyList, type SecretBox } from '../foundation/secrets.ts';
import { forgetAuthenticators } from '../identity/second-factors/second-factors.ts';

/** The key of this start is not the one that sealed what is in the database; the message is one line for the person. */
export class OtherSecret extends Error {}

/**
 * Compares the key with the one that sealed the stored secrets, which several machines with one database must share. The first
 * start leaves a text sealed with its key for the others to open. A start with a new key, and with the present one as the previous one, begins a rotation.
 * @param origin where the key came from, for the message
 */
export async function checkSecret(database: Pool, box: SecretBox, origin: string, now: Date): Promise<void> {
  if (await transaction(database, (connection) => isOwnKey(connection, box, now))) return;
  throw new OtherSecret(
    `The secrets in the database were sealed with another key than ${origin}. All machines with one database need the same key: ` +
      'set KEEPWATCH_SECRET to it, or bring its file "secret" into DATA_DIR. If it is lost, start once with FORGET_STORED_SECRETS=true, ' +
      'which removes the stored secrets. Then enter those of connections, organizations, repositories and chats again; users add their authenticator apps again.' +
      namedKeys(await readMarks(database), box),
  );
}

/** Removes everything that was sealed: people enter the secrets of connections, organizations and repositories again, and add their authenticator apps again. */
export async function forgetSecrets(connection: Connection): Promise<void> {
  await forgetAuthenticators(connection);
  for (const column of SEALED_COLUMNS) await column.forget(connection);
  await forgetMarks(connection);
}

async function isOwnKey(connection: Connection, box: SecretBox, now: Date): Promise<boolean> {
  const isOwn = await settleMarks(connection, box, now);
  if (isOwn !== null) return isOwn;
  // Versions before the check left none: then the secrets of a connection say it.
  const sealed = await findSealedSecrets(connection);
  if (sealed !== null && !canOpenSettings(box, sealed)) return false;
  await leaveMark(connection, box, now);
  // Of machines that start at once only one leaves the text: the others look at that one.
  return (await settleMarks(connection, box, now)) === true;
}

/** Which keys are needed, as the screen Settings and backups name them. */
function namedKeys(marks: SecretMarks | null, box: SecretBox): string {
  const needed = [marks?.next, marks?.sealed].flatMap((sealed) => (sealed == null ? [] : (keyIdOf(sealed) ?? [])));
  if (needed.length === 0) return '';
  const own = keyList(box.keys()).join(' and ');
  if (needed.length === 1) return ` The key that is needed is ${needed[0]}; this machine has ${own}.`;
  return ` A rotation has not ended: KEEPWATCH_SECRET has to be ${needed[0]} and KEEPWATCH_PREVIOUS_SECRET ${needed[1]}; this machine has ${own}.`;
}
