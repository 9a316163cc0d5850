import { EngineError } from '../../model/engine-error.ts';
import type { ItemVersion, Segment, StoredContent } from '../../model/items.ts';
import { segmentChunks } from '../../model/segment-chunks.ts';
import type { ReadList } from '../catalog.ts';
import { VERSION_COLUMNS, type VersionRow, versionOf } from './item-record.ts';
import { type Connection, rows } from './sessions/connection.ts';

const ROWS_A_PAGE = 2_000;

interface ScannedRow extends VersionRow {
  item: string;
}

/**
 * All versions of an object, in pages; with an instant, those that are left when what ended before it is gone.
 * @param retained the revision of its newest restore point, should that be older: what was there then, or came later, stays
 */
export async function* versionsOfObject(
  connection: Connection,
  object: number,
  endedFrom: Date | null,
  retained: number | null = null,
): AsyncGenerator<ItemVersion[]> {
  let after: ScannedRow | undefined;
  do {
    const page: ScannedRow[] = await rows<ScannedRow>(
      connection,
      `SELECT ${VERSION_COLUMNS}, v.item FROM item_versions v JOIN containers c ON c.id = v.container
       WHERE v.object = $1 AND (v.ended_at IS NULL OR $2::timestamptz IS NULL OR v.ended_at >= $2 OR v.last >= $3)
         ${after === undefined ? '' : 'AND (v.item, v.first) > ($4::uuid, $5)'}
       ORDER BY v.item, v.first LIMIT ${ROWS_A_PAGE}`,
      [object, endedFrom, retained, ...(after === undefined ? [] : [after.item, after.first])],
    );
    yield page.map(versionOf);
    after = page.length < ROWS_A_PAGE ? undefined : page.at(-1);
  } while (after !== undefined);
}

/** Ids of the chunks that contents need, those of their lists included. */
export async function chunksOf(
  contents: readonly StoredContent[],
  readList: ReadList | undefined,
): Promise<Set<string>> {
  const chunks = new Set<string>();
  for (const content of contents) {
    for (const chunk of segmentChunks('segments' in content ? content.segments : content.list)) chunks.add(chunk);
    if ('list' in content) for (const chunk of segmentChunks(await listed(content, readList))) chunks.add(chunk);
  }
  return chunks;
}

async function listed(content: StoredContent, readList: ReadList | undefined): Promise<readonly Segment[]> {
  if (readList !== undefined) return readList(content);
  throw new EngineError(
    'bad-request',
    `The segments of the content '${content.name}' are in the repository; without reading them, the chunks it needs are unknown.`,
  );
}
