import { inOrder } from '../../../model/in-order.ts';
import type { SourceEvent } from '../../source.ts';
import type { JsonObject } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { asStored, concernsAll, groupsOf, isGone, lostEvent, propertiesOf } from '../mailbox/read-items.ts';
import type { Reading } from '../reader.ts';
import { without } from '../told-when-changed.ts';
import { bodyOfReply } from '../whole-list.ts';
import { pageItem } from './site-item.ts';
import { sitePath } from './site-parts.ts';

const GROUP = 20;
const GROUPS_AT_ONCE = 2;

/** Pages, told whole every time since Graph has no delta of them; only those that changed are read with their layout. */
export async function* readPages(reading: Reading, pages: readonly JsonObject[]): AsyncGenerator<SourceEvent> {
  const scan = { scope: 'pages', kinds: ['page'] } as const;
  yield { type: 'scan-begin', scan, resumed: false };
  async function* groups() {
    yield* groupsOf(pages, GROUP);
  }
  for await (const events of inOrder(groups(), GROUPS_AT_ONCE, (group) => readGroup(reading, group))) yield* events;
  yield { type: 'scan-end', scan };
}

async function readGroup(reading: Reading, pages: readonly JsonObject[]): Promise<SourceEvent[]> {
  const { connection, request } = reading;
  const items = pages.map(pageItem);
  const stored = await request.current(items.map(({ id }) => id));
  const isSame = (item: (typeof items)[number]) =>
    item.details.tag !== undefined && stored.get(item.id)?.details.tag === item.details.tag;
  const wanted = items.filter((item) => !isSame(item));
  const base = sitePath(request.object.id);
  const calls = wanted.map(({ id }) => ({
    path: `${base}${path`/pages/${id}`}/microsoft.graph.sitePage?$expand=canvasLayout`,
  }));
  const replies = await connection.batch(calls, request.signal);
  const read = new Map(wanted.map(({ id }, at) => [id, replies[at]]));
  return items.flatMap((item): SourceEvent[] => {
    const known = stored.get(item.id);
    if (known !== undefined && !read.has(item.id)) return [asStored(known, null)];
    try {
      const entity = bodyOfReply(read.get(item.id));
      return [{ type: 'item', item: pageItem(entity), contents: [propertiesOf(without(entity, 'reactions'))] }];
    } catch (error) {
      if (isGone(error)) return [];
      if (concernsAll(error)) throw error;
      return [lostEvent(item, error)];
    }
  });
}
