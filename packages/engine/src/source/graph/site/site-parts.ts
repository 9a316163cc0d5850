import { EngineError } from '../../../model/engine-error.ts';
import type { SourceEvent } from '../../source.ts';
import { GraphError, isNotOffered } from '../graph-error.ts';
import { type JsonObject, objectOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { asStored, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import type { Container } from '../reading-failures.ts';
import { without } from '../scan-if-changed.ts';
import { bodyOfReply, wholeList } from '../whole-list.ts';
import { siteItem } from './site-item.ts';
import { asRefusal, LISTS_WITH_SCHEMA, type ListParts, readLists, type Schema, schemaOf } from './site-lists.ts';

/** What is asked of a site as a whole, in one batch. */
export interface SiteParts {
  site: JsonObject;
  /** Or why they could not be read, as below. */
  subsites: JsonObject[] | EngineError;
  schema: Schema | EngineError;
  /** `null` where the application may not see them. */
  permissions: JsonObject[] | EngineError | null;
  /** Without their layout. */
  pages: JsonObject[] | EngineError;
  lists: ListParts[];
}

export const sitePath = (siteId: string): string => path`/sites/${siteId}`;

/** The site as the container of its pages. */
export const siteContainer = (siteId: string): Container => {
  return { noun: 'site', id: siteId, path: `${sitePath(siteId)}?$select=id` };
};

export async function readSiteParts(reading: Reading): Promise<SiteParts> {
  const { connection, request } = reading;
  const { object, signal } = request;
  const base = sitePath(object.id);
  const names = ['', '/sites', '/columns', '/contentTypes', '/permissions', '/pages', LISTS_WITH_SCHEMA];
  const replies = await connection.batch(
    names.map((name) => ({ path: base + name })),
    signal,
  );
  const all = (index: number) => wholeList(connection, replies[index], signal);
  return {
    site: bodyOfReply(replies[0]),
    subsites: await all(1).catch(asRefusal),
    schema: await schemaOf(reading, replies[2], replies[3]),
    permissions: await all(4).catch((error: unknown) => (isForbidden(error) ? null : asRefusal(error))),
    pages: await all(5).catch(asRefusal),
    lists: await readLists(reading, base, replies[6]),
  };
}

/** Who may read a site may not see whom it is given to: that takes full control. */
const isForbidden = (error: unknown) => error instanceof GraphError && error.status === 403;

/** Whether a refusal of the pages means that there are none: of a site without their library, and of a cloud without pages. */
export function hasNoPages(error: EngineError, lists: readonly ListParts[]): boolean {
  const hasLibrary = lists.some(({ entity }) => objectOf(entity['list'])['template'] === 'webPageLibrary');
  return !hasLibrary && (isNotOffered(error) || (error instanceof GraphError && error.status === 404));
}

/** The site itself with its permissions, and the sites below it, which are objects of their own. */
export async function* siteEvents(
  reading: Reading,
  { site, subsites, permissions }: SiteParts,
): AsyncGenerator<SourceEvent> {
  const { object } = reading.request;
  const scan = { scope: 'sites', kinds: ['subsite'] } as const;
  yield { type: 'scan-begin', scan, resumed: false };
  if (permissions instanceof EngineError) {
    // Those that are stored stay with it.
    const stored = (await reading.request.current([object.id])).get(object.id);
    yield stored === undefined ? siteEvent(site, 'root') : asStored(stored, null);
    yield await reading.failures.partFailed('the list of whom it is given to', permissions);
  } else yield siteEvent({ ...site, ...(permissions === null ? {} : { permissions }) }, 'root');
  if (subsites instanceof EngineError) yield await reading.failures.partFailed('the list of sites below it', subsites);
  else {
    for (const subsite of subsites) yield siteEvent(subsite, undefined);
    yield { type: 'scan-end', scan };
  }
  if (permissions !== null) return;
  const message = `The application may not see whom the site ${object.name} is given to: that is not backed up. Grant it Sites.FullControl.All.`;
  yield { type: 'alert', alert: { code: 'permissions-not-readable', message } };
}

function siteEvent(entity: JsonObject, role: 'root' | undefined): SourceEvent {
  const lasting = without(entity, 'lastModifiedDateTime', 'eTag');
  return { type: 'item', item: siteItem(entity, role), contents: [propertiesOf(lasting)] };
}
