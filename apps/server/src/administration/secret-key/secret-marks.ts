import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../../foundation/database.ts';
import { keyIdOf, type SecretBox } from '../../foundation/secrets.ts';
import { insert, update } from '../../foundation/table-writes.ts';
import { secretCheck } from '../tables.ts';

const CONTEXT = 'secret check';
const TEXT = 'keepwatch';
const ONLY = { isOnly: true };

/** The known text as sealed with each key without which what is stored cannot be opened. */
export interface SecretMarks {
  sealed: Buffer;
  /** While a rotation goes on: with the key in force. */
  next: Buffer | null;
  since: string | null;
}

export function readMarks(connection: Connection, lock = sql``): Promise<SecretMarks | null> {
  return row<SecretMarks>(connection, sql`select sealed, next_sealed as next, since from secret_check ${lock}`);
}

/** Leaves the text sealed with the key of this machine for others to open, unless one is there. */
export async function leaveMark(connection: Connection, box: SecretBox, now: Date): Promise<void> {
  await insert(
    connection,
    secretCheck,
    { sealed: box.seal(TEXT, CONTEXT), since: now },
    sql`on conflict (is_only) do nothing`,
  );
}

/**
 * Whether the keys of this machine open everything that is stored, and the one in force is that of the others. Where the present one was the previous
 * one, its rotation begins here. `null` where no machine has left a text yet. Needs a transaction.
 */
export async function settleMarks(connection: Connection, box: SecretBox, now: Date): Promise<boolean | null> {
  const marks = await readMarks(connection, sql`for update`);
  if (marks === null) return null;
  const needed = box.keyOf(marks.sealed, CONTEXT);
  const inForce = marks.next === null ? needed : box.keyOf(marks.next, CONTEXT);
  if (needed === null || inForce === null) return false;
  if (inForce === 'previous') await beginRotation(connection, marks.next ?? marks.sealed, box, now);
  else if (marks.next === null && keyIdOf(marks.sealed) === null)
    await update(connection, secretCheck, { sealed: box.reseal(marks.sealed, CONTEXT) }, ONLY);
  return true;
}

async function beginRotation(connection: Connection, sealed: Buffer, box: SecretBox, now: Date): Promise<void> {
  await update(connection, secretCheck, { sealed, nextSealed: box.seal(TEXT, CONTEXT), since: now }, ONLY);
}

/** The previous key is no longer needed for a start. Needs the lock of the marks. */
export async function endRotation(connection: Connection, { next }: SecretMarks): Promise<void> {
  if (next !== null) await update(connection, secretCheck, { sealed: next, nextSealed: null }, ONLY);
}

/** Forgets which key it was: it is lost, and another one seals from now on. */
export async function forgetMarks(connection: Connection): Promise<void> {
  await execute(connection, sql`delete from secret_check`);
}
