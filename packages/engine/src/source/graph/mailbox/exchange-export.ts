import type { GraphConnection } from '../connection.ts';
import { GraphError, isNotOffered } from '../graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import type { PlaceOfBytes } from '../requests/json-with-bytes.ts';
import type { GraphCall } from '../requests/requests.ts';
import { ExportReply } from './export-reply.ts';
import { path } from './mailbox-paths.ts';

/** Items of one export; https://learn.microsoft.com/graph/api/mailbox-exportitems */
export const EXPORT_MAX = 20;

/** What the tenant calls a person's mailbox; nothing where it does not give it out. */
export async function primaryMailboxOf(
  connection: GraphConnection,
  user: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { primaryMailboxId } = await settingsOf(connection, { path: settingsPath(user), signal });
    return known(connection, user, textOf(primaryMailboxId) ?? null);
  } catch (error) {
    if (isNotOffered(error) || isForbidden(error) || isMissing(error)) return null;
    throw error;
  }
}

/** What the tenant calls a person's archive; `null`: none is given out. */
export async function archiveOf(
  connection: GraphConnection,
  user: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return (await findArchive(connection, user, signal)) ?? null;
  } catch (error) {
    // A cloud without exports has nothing to offer of archives, and a person without a mailbox has none.
    if (isNotOffered(error) || isMissing(error)) return null;
    throw error;
  }
}

/**
 * The same for a listing, to which it is not the same whether there is none (`null`) or Graph does not say so (`undefined`). The id is documented in beta
 * alone; there an archive that does not exist has no id. https://learn.microsoft.com/graph/api/resources/exchangesettings?view=graph-rest-beta
 * @throws GraphError where the tenant does not offer it (`isNotOffered`), and for who has no such settings
 */
export async function findArchive(
  connection: GraphConnection,
  user: string,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  const call = { path: settingsPath(user), signal };
  let { inPlaceArchiveMailboxId: id } = await settingsOf(connection, call);
  if (id === undefined) ({ inPlaceArchiveMailboxId: id } = await settingsOf(connection, { ...call, version: 'beta' }));
  return id === undefined ? undefined : known(connection, user, textOf(id) || null);
}

const settingsPath = (user: string) => path`/users/${user}/settings/exchange`;

/** That there are none is believed when it is said twice. */
function settingsOf(connection: GraphConnection, call: GraphCall): Promise<JsonObject> {
  return connection.ask(call).catch((error: unknown) => {
    if (isMissing(error)) return connection.ask(call);
    throw error;
  });
}

/** Whether an archive has limits of its own is not documented: it shares those of its person. */
function known(connection: GraphConnection, user: string, id: string | null): string | null {
  if (id !== null) connection.mailboxBelongsTo(id, user);
  return id;
}

/** Without the permission to export there is no export; everything else is read all the same. */
export const isForbidden = (error: unknown) => error instanceof GraphError && error.status === 403;

const isMissing = (error: unknown) => error instanceof GraphError && error.status === 404;

/** Replies larger than that are not read: their items are asked for one by one, as they stream. */
const GROUP_REPLY_BYTES = 8 * 2 ** 20;
const EXPORTS: PlaceOfBytes = { list: 'value', member: 'data', isBase64: () => true };

/**
 * The opaque form of up to 20 small items, by id; those that the server does not give out are missing or errors. All of the reply is buffered.
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
  const reply = await connection.ask({ ...call, replyBytesMax: GROUP_REPLY_BYTES, bytesIn: EXPORTS });
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
    const found = reply.push(piece);
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
  const { data } = one;
  if (Buffer.isBuffer(data)) return [[id, data]];
  const text = textOf(data);
  return [[id, text === undefined ? refusal(one) : Buffer.from(text, 'base64')]];
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
