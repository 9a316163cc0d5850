import type { GraphConnection } from '../connection.ts';
import { GraphError, isNotOffered } from '../graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import { ExportReply } from './export-reply.ts';
import { path } from './mailbox-paths.ts';

/** Items of one export; https://learn.microsoft.com/graph/api/mailbox-exportitems */
export const EXPORT_MAX = 20;

export interface MailboxIds {
  primary: string | null;
  archive: string | null;
}

/** What the tenant calls a person's mailboxes; nothing where it does not give them out. */
export async function mailboxIdsOf(
  connection: GraphConnection,
  user: string,
  signal: AbortSignal,
): Promise<MailboxIds> {
  try {
    const call = { path: path`/users/${user}/settings/exchange`, signal };
    // That there are none is believed when it is said twice.
    const settings = await connection.ask(call).catch((error: unknown) => {
      if (isMissing(error)) return connection.ask(call);
      throw error;
    });
    const primary = textOf(settings['primaryMailboxId']) ?? null;
    const archive = textOf(settings['inPlaceArchiveMailboxId']) ?? null;
    // Whether an archive has limits of its own is not documented.
    for (const id of [primary, archive]) if (id !== null) connection.mailboxBelongsTo(id, user);
    return { primary, archive };
  } catch (error) {
    if (isNotOffered(error) || isForbidden(error) || isMissing(error)) return { primary: null, archive: null };
    throw error;
  }
}

/** Without the permission to export there is no export; everything else is read all the same. */
export const isForbidden = (error: unknown) => error instanceof GraphError && error.status === 403;

const isMissing = (error: unknown) => error instanceof GraphError && error.status === 404;

/** Replies larger than that are not read: their items are asked for one by one, as they stream. */
const GROUP_REPLY_BYTES = 8 * 2 ** 20;

/**
 * The opaque form of up to 20 small items, by id; those that the server does not give out are missing or errors. All of the reply is held.
 * @throws GraphError when the tenant does not offer it (`isNotOffered`) or the permission is missing; EngineError when the items are larger
 *   than they were said to be
 */
export async function exportItems(
  connection: GraphConnection,
  mailboxId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Buffer | GraphError>> {
  const call = exportCall(mailboxId, ids, signal);
  const reply = await connection.ask({ ...call, replyBytesMax: GROUP_REPLY_BYTES });
  return new Map(objectsOf(reply['value']).flatMap((one) => exported(one) ?? []));
}

/**
 * The opaque form of one item of any size, as it comes.
 * @throws EngineError for an item that the server does not give out, and for a reply that no item can be
 */
export async function* exportItem(
  connection: GraphConnection,
  mailboxId: string,
  { id, name }: { id: string; name: string },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reply = new ExportReply(name);
  let isEmpty = true;
  for await (const piece of connection.download(exportCall(mailboxId, [id], signal))) {
    const found = reply.take(piece);
    if (found.length > 0) isEmpty = false;
    yield* found;
  }
  const entry = reply.end();
  if (isEmpty) throw refusal(entry);
}

function exportCall(mailboxId: string, itemIds: readonly string[], signal: AbortSignal) {
  const call = path`/admin/exchange/mailboxes/${mailboxId}/exportItems`;
  return { method: 'POST', path: call, body: { itemIds }, isRepeatable: true, signal } as const;
}

function exported(one: JsonObject): [string, Buffer | GraphError][] | null {
  const id = textOf(one['itemId']);
  if (id === undefined) return null;
  const data = textOf(one['data']);
  return [[id, data === undefined ? refusal(one) : Buffer.from(data, 'base64')]];
}

/** Codes for an item that is not there. */
const MISSING: ReadonlySet<string> = new Set(['ErrorItemNotFound', 'ResourceNotFound']);

function refusal(one: JsonObject): GraphError {
  const error = objectOf(one['error']);
  const code = textOf(error['code']) ?? 'UnknownError';
  const isMissing = MISSING.has(code);
  const message = `Microsoft 365 does not export the item: ${textOf(error['message']) ?? code}`;
  return new GraphError(isMissing ? 'not-found' : 'source-refused', isMissing ? 404 : 500, code, message, true);
}
