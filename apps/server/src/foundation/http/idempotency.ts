import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type Connection, type Pool, row } from '../database.ts';
import { conflict, invalid, Refusal } from '../errors.ts';
import { sealedColumn } from '../sealed-column.ts';
import type { SecretBox } from '../secrets.ts';
import { insert, remove, update } from '../table-writes.ts';
import { idempotencyKeys } from '../tables.ts';
import type { Actor } from './context.ts';

/** A POST that its sender may send again without knowing whether it arrived (header `Idempotency-Key`). */
export interface RepeatableRequest {
  actor: Actor;
  /** As the sender chose it; counts for this user alone. */
  key: string;
  /** What was asked: call, address and body. The same key for something else is a mistake of the sender. */
  asked: Buffer;
}

const KEY = /^[\x21-\x7e]{1,200}$/;
/** A reply is remembered this long. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;
/** Work that has not ended after this time died with its process, before or after it was done. */
const WORKING_MS_MAX = 5 * 60 * 1_000;

/**
 * Does `work` once for a key and gives its reply every time the request is repeated. Replies may contain what is shown a single
 * time (a token), so they are sealed. A refusal is not stored: nothing was done. Completed work is never done again, even where its
 * reply could not be stored. Throws 409 while the first request is still at work or when its outcome is unknown, and 422 for a key
 * that was used for another request.
 */
export async function once(
  { database, secrets, now }: { database: Pool; secrets: SecretBox; now(): Date },
  request: RepeatableRequest,
  work: () => Promise<string>,
): Promise<string> {
  if (!KEY.test(request.key))
    throw invalid([{ path: 'headers.idempotency-key', message: 'must be 1 to 200 printable characters' }]);
  const place = placeOf(request);
  if (!(await begin(database, place, request, now()))) return remembered({ database, secrets, now }, place, request);
  const reply = await refusedOrDone(database, place, work);
  await update(database, idempotencyKeys, { reply: secrets.seal(reply, contextOf(place)) }, place);
  return reply;
}

/** A refusal leaves the key free. */
async function refusedOrDone(database: Pool, place: Place, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    await remove(database, idempotencyKeys, sql`${matches(place)} and reply is null`);
    throw error;
  }
}

interface Place {
  providerId: number;
  userId: string;
  keyHash: Buffer;
}

function placeOf({ actor, key }: RepeatableRequest): Place {
  return { providerId: actor.scope.providerId, userId: actor.userId, keyHash: hashOf(key) };
}

function hashOf(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}

function matches({ providerId, userId, keyHash }: Place) {
  return sql`provider_id = ${providerId} and user_id = ${userId} and key_hash = ${keyHash}`;
}

/** Binds a reply to its row: copied to another one it does not open. */
function contextOf({ providerId, userId, keyHash }: Place): string {
  return `reply/${providerId}/${userId}/${keyHash.toString('hex')}`;
}

export const SEALED_REPLIES = sealedColumn(idempotencyKeys, 'reply', ['providerId', 'userId', 'keyHash'], contextOf);

/** Claims the key; returns false when an earlier request has it. */
async function begin(connection: Connection, place: Place, { asked }: RepeatableRequest, now: Date): Promise<boolean> {
  const key = { ...place, askedHash: hashOf(asked), at: now };
  const begun = await insert(
    connection,
    idempotencyKeys,
    key,
    sql`on conflict (provider_id, user_id, key_hash) do nothing`,
  );
  return begun > 0;
}

async function remembered(
  { database, secrets, now }: { database: Pool; secrets: SecretBox; now(): Date },
  place: Place,
  { asked }: RepeatableRequest,
): Promise<string> {
  const stored = await row<{ askedHash: Buffer; reply: Buffer | null; at: string }>(
    database,
    sql`select asked_hash as "askedHash", reply, at from idempotency_keys where ${matches(place)}`,
  );
  if (stored !== null && !stored.askedHash.equals(hashOf(asked)))
    throw new Refusal(
      422,
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request. Choose a new one.',
    );
  if (stored !== null && stored.reply === null && Date.parse(stored.at) < now().getTime() - WORKING_MS_MAX)
    throw conflict(
      'The same request was begun before, and its end is not known. Look whether it was done; if not, send it with a new Idempotency-Key.',
    );
  if (stored === null || stored.reply === null)
    throw conflict('The same request is still being worked on. Ask again in a moment.');
  return secrets.open(stored.reply, contextOf(place));
}

/** Forgets replies that are older than a day. */
export async function removeOldReplies(connection: Connection, now: Date): Promise<void> {
  await remove(connection, idempotencyKeys, sql`${idempotencyKeys.at} < ${new Date(now.getTime() - REMEMBERED_MS)}`);
}
