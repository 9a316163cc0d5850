import type { GraphConnection } from '../connection.ts';
import { GraphError, isNotOffered } from '../graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
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
    const settings = await connection.ask({ path: path`/users/${user}/settings/exchange`, signal });
    const primary = textOf(settings['primaryMailboxId']) ?? null;
    const archive = textOf(settings['inPlaceArchiveMailboxId']) ?? null;
    // Whether an archive has limits of its own is not documented.
    for (const id of [primary, archive]) if (id !== null) connection.mailboxBelongsTo(id, user);
    return { primary, archive };
  } catch (error) {
    if (isNotOffered(error) || isForbidden(error)) return { primary: null, archive: null };
    throw error;
  }
}

/** Without the permission to export there is no export; everything else is read all the same. */
export const isForbidden = (error: unknown) => error instanceof GraphError && error.status === 403;

/**
 * The opaque form of up to 20 items, by id; those that the server does not give out are missing or errors.
 * @throws GraphError when the tenant does not offer it (`isNotOffered`) or the permission is missing
 */
export async function exportItems(
  connection: GraphConnection,
  mailboxId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Buffer | GraphError>> {
  const call = path`/admin/exchange/mailboxes/${mailboxId}/exportItems`;
  const body = { itemIds: ids };
  const reply = await connection.ask({ method: 'POST', path: call, body, isRepeatable: true, signal });
  return new Map(objectsOf(reply['value']).flatMap((one) => exported(one) ?? []));
}

function exported(one: JsonObject): [string, Buffer | GraphError][] | null {
  const id = textOf(one['itemId']);
  if (id === undefined) return null;
  const data = textOf(one['data']);
  if (data !== undefined) return [[id, Buffer.from(data, 'base64')]];
  const error = objectOf(one['error']);
  const code = textOf(error['code']) ?? 'UnknownError';
  const isMissing = /NotFound/i.test(code);
  const message = `Microsoft 365 does not export the item: ${textOf(error['message']) ?? code}`;
  return [[id, new GraphError(isMissing ? 'not-found' : 'source-refused', isMissing ? 404 : 500, code, message, true)]];
}
