import { EngineError } from '../../model/engine-error.ts';
import type { ObjectKind } from '../../model/protected-object.ts';
import type { ListedObject, ObjectQuery, Page } from '../catalog.ts';
import { IS_THERE } from './objects.ts';
import { type Connection, rows } from './sessions/connection.ts';

interface ListedRow {
  key: string;
  organization: string;
  kind: ObjectKind;
  object_id: string;
  name: string;
  folded: string;
  beginning: string;
  owner: string | null;
  address: string | null;
  revision: number;
}

/** As the index has them: it has room for so much of a name. */
const ORDER = 'left(lower(o.name), 200), left(o.name, 200), o.key';

/** A page of objects by their names. */
export async function findObjects(
  connection: Connection,
  repository: number,
  { organizationId, kinds, owners, restorePoint, text, limit, after }: ObjectQuery,
): Promise<Page<ListedObject>> {
  const cursor = after === undefined ? null : readCursor(after);
  const isAtPoint = restorePoint !== undefined;
  const found = await rows<ListedRow>(
    connection,
    `SELECT o.key, o.organization, o.kind, o.object_id, o.name, left(lower(o.name), 200) AS folded, left(o.name, 200) AS beginning, o.owner, o.address,
       ${isAtPoint ? 'p.revision' : 'o.revision'} AS revision
     FROM objects o ${isAtPoint ? 'JOIN restore_point_objects p ON p.object = o.id JOIN runs r ON r.id = p.run AND r.repository = $1 AND r.run = $6' : ''}
     WHERE o.repository = $1 AND ${IS_THERE} AND ($2::text IS NULL OR o.organization = $2) AND ($3::text[] IS NULL OR o.kind = ANY ($3))
       AND ($4::text IS NULL OR o.name ILIKE $4 OR o.address ILIKE $4) AND ($10::text[] IS NULL OR o.owner = ANY ($10))
       ${isAtPoint ? '' : 'AND $6::text IS NULL'}
       AND ($7::text IS NULL OR (${ORDER}) > ($7, $8, $9))
     ORDER BY ${ORDER} LIMIT $5`,
    [
      repository,
      organizationId ?? null,
      kinds ?? null,
      text === undefined || text.trim() === '' ? null : containing(text),
      limit + 1,
      restorePoint ?? null,
      ...(cursor ?? [null, null, null]),
      owners ?? null,
    ],
  );
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next = found.length > limit && last !== undefined ? cursorText(last) : null;
  return { rows: shown.map(listedObject), next };
}

function listedObject({ key, organization, kind, object_id, name, owner, address, revision }: ListedRow): ListedObject {
  return { key, organizationId: organization, kind, id: object_id, name, owner, address, revision };
}

/** As a pattern of LIKE in which the text is nothing but text. */
const containing = (text: string) => `%${text.trim().replaceAll(/[\\%_]/g, '\\$&')}%`;

const cursorText = ({ folded, beginning, key }: ListedRow) =>
  Buffer.from(JSON.stringify([folded, beginning, key])).toString('base64url');

function readCursor(cursor: string): readonly string[] {
  const parts = parsed(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(parts) && parts.length === 3 && parts.every((part) => typeof part === 'string')) return parts;
  throw new EngineError('bad-request', 'This page no longer fits the list. Start again from its first page.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
