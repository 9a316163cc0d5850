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
  run: number | null;
}

/** As the index has them: it has room for so much of a name. */
const ORDER = 'left(lower(o.name), 200), left(o.name, 200), o.key';

/** A page of objects by their names. */
export async function findObjects(
  connection: Connection,
  repository: number,
  query: ObjectQuery,
): Promise<Page<ListedObject>> {
  const runs = await runsOf(connection, repository, query.restorePoints);
  if (runs?.size === 0) return { rows: [], next: null };
  const values: unknown[] = [];
  const given = (value: unknown) => `$${values.push(value)}`;
  const where = conditionsOf(repository, query, given).join(' AND ');
  const found = await rows<ListedRow>(
    connection,
    `SELECT o.key, o.organization, o.kind, o.object_id, o.name, left(lower(o.name), 200) AS folded, left(o.name, 200) AS beginning, o.owner, o.address,
       ${runs === null ? 'o.revision, NULL AS run' : 'p.revision, p.run'}
     FROM objects o ${runs === null ? '' : joinOf([...runs.keys()], given)} WHERE ${where} ORDER BY ${ORDER} LIMIT ${given(query.limit + 1)}`,
    values,
  );
  const shown = found.slice(0, query.limit).map((row) => listedObject(row, runs));
  return { rows: shown, next: found.length > query.limit ? (shown.at(-1)?.cursor ?? null) : null };
}

/** Numbers of restore points with their names, in the order in which they are named; `null`: none is named. */
async function runsOf(
  connection: Connection,
  repository: number,
  restorePoints: ObjectQuery['restorePoints'],
): Promise<ReadonlyMap<number, string> | null> {
  if (restorePoints === undefined) return null;
  const found = await rows<{ id: number; run: string }>(
    connection,
    'SELECT id, run FROM runs WHERE repository = $1 AND run = ANY ($2) ORDER BY array_position($2::text[], run)',
    [repository, restorePoints],
  );
  return new Map(found.map(({ id, run }) => [id, run]));
}

/** Each object as the first of the restore points has it. */
function joinOf(runs: readonly number[], given: (value: unknown) => string): string {
  const all = `${given(runs)}::integer[]`;
  const first =
    runs.length === 1
      ? ''
      : `AND NOT EXISTS (SELECT FROM restore_point_objects f WHERE f.object = o.id AND f.run = ANY ((${all})[:array_position(${all}, p.run) - 1]))`;
  return `JOIN restore_point_objects p ON p.object = o.id AND p.run = ANY (${all}) ${first}`;
}

function conditionsOf(repository: number, query: ObjectQuery, given: (value: unknown) => string): string[] {
  const { organizationId, kinds, owners, keys, addresses, below, text, after } = query;
  const sought = text === undefined || text.trim() === '' ? null : given(containing(text));
  const cursor = after === undefined ? null : readCursor(after).map(given).join(', ');
  return [
    `o.repository = ${given(repository)} AND ${IS_THERE}`,
    ...(organizationId === undefined ? [] : [`o.organization = ${given(organizationId)}`]),
    ...(kinds === undefined ? [] : [`o.kind = ANY (${given(kinds)})`]),
    ...(owners === undefined ? [] : [`o.owner = ANY (${given(owners)})`]),
    ...(keys === undefined ? [] : [`o.key = ANY (${given(keys)})`]),
    ...(addresses === undefined ? [] : [`${ADDRESS} = ANY (${given(addresses.map(plainAddress))})`]),
    ...(below === undefined ? [] : [`${ABOVE} = ANY (${given(below.map(plainAddress))})`]),
    ...(sought === null ? [] : [`(o.name ILIKE ${sought} OR o.address ILIKE ${sought})`]),
    ...(cursor === null ? [] : [`(${ORDER}) > (${cursor})`]),
  ];
}

const ADDRESS = "lower(rtrim(o.address, '/'))";
/** An address without what is behind its last slash. */
const ABOVE = `left(${ADDRESS}, length(${ADDRESS}) - strpos(reverse(${ADDRESS}), '/'))`;

const plainAddress = (address: string) => address.replace(/\/+$/, '').toLowerCase();

function listedObject(row: ListedRow, runs: ReadonlyMap<number, string> | null): ListedObject {
  const { key, organization, kind, object_id, name, owner, address, revision, run } = row;
  const restorePoint = run === null ? null : (runs?.get(run) ?? null);
  const object = { key, organizationId: organization, kind, id: object_id, name, owner, address };
  return { ...object, revision, restorePoint, cursor: cursorText(row) };
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
