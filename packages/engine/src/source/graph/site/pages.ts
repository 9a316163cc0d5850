import { inOrder } from '../../../model/in-order.ts';
import type { SourceEvent } from '../../source.ts';
import type { JsonObject } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { asStored, groupsOf, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { repliesTo } from '../reading-failures.ts';
import { without } from '../scan-if-changed.ts';
import { bodyOfReply } from '../whole-list.ts';
import { pageItem } from './site-item.ts';
import { siteContainer, sitePath } from './site-parts.ts';

const GROUP = 20;
const GROUPS_AT_ONCE = 2;

/** Reads the pages. All are listed every time since Graph has no delta of them; only those that changed are read with their layout. */
export async function* readPages(reading: Reading, pages: readonly JsonObject[]): AsyncGenerator<SourceEvent> {
  const scan = { scope: 'pages', kinds: ['page'] } as const;
  yield { type: 'scan-begin', scan, resumed: false };
  async function* groups() {
    const site = siteContainer(reading.request.object.id);
    for (const group of groupsOf(pages, GROUP)) if (reading.failures.whyGivenUp(site) === null) yield group;
  }
  for await (const events of inOrder(groups(), GROUPS_AT_ONCE, (group) => readGroup(reading, group))) yield* events;
  const site = siteContainer(reading.request.object.id);
  const why = reading.failures.whyGivenUp(site);
  if (why === null) yield { type: 'scan-end', scan };
  else yield await reading.failures.containerFailed(site, why);
}

async function readGroup(reading: Reading, pages: readonly JsonObject[]): Promise<SourceEvent[]> {
  const { connection, request, failures } = reading;
  const items = pages.map(pageItem);
  const stored = await request.current(items.map(({ id }) => id));
  const isSame = (item: (typeof items)[number]) =>
    item.details.tag !== undefined && stored.get(item.id)?.details.tag === item.details.tag;
  const changed = items.filter((item) => !isSame(item));
  const base = sitePath(request.object.id);
  const pageAt = (id: string) => `${base}${path`/pages/${id}`}/microsoft.graph.sitePage`;
  const calls = changed.map(({ id }) => ({ path: `${pageAt(id)}?$expand=canvasLayout` }));
  const replies = await repliesTo(connection, calls, request.signal);
  const read = new Map(changed.map(({ id }, index) => [id, replies[index]]));
  const container = siteContainer(request.object.id);
  const events = items.map(async (item): Promise<SourceEvent[]> => {
    const known = stored.get(item.id);
    if (known !== undefined && !read.has(item.id)) return [asStored(known, null)];
    try {
      const entity = bodyOfReply(read.get(item.id));
      failures.succeeded(container);
      return [{ type: 'item', item: pageItem(entity), contents: [propertiesOf(without(entity, 'reactions'))] }];
    } catch (error) {
      return failures.eventsOf(item, error, { container, entity: { path: pageAt(item.id) } });
    }
  });
  return (await Promise.all(events)).flat();
}
