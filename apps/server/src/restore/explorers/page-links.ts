import type { Call } from '@keepwatch/contract/wire/call';
import { encodeQuery, type QueryObject } from '@keepwatch/contract/wire/query';
import type { SessionObject } from '../sessions/repository-objects.ts';

/** Which rows of a list. */
export interface PageRange {
  limit: number;
  offset: number;
}

export interface ShownPage<Row> {
  rows: Row[];
  /** Whether more rows follow. */
  isMore: boolean;
}

/** Reads one page of rows that come one after another, and not further than one row behind it. */
export async function pageFrom<Row>(rows: AsyncIterable<Row>, { limit, offset }: PageRange): Promise<ShownPage<Row>> {
  const page: Row[] = [];
  let at = 0;
  for await (const one of rows) {
    if (at >= offset + limit) return { rows: page, isMore: true };
    if (at >= offset) page.push(one);
    at += 1;
  }
  return { rows: page, isMore: false };
}

/** Which objects of a session: behind the last one of the page before, or, without `after`, behind so many. */
export interface ObjectRange extends PageRange {
  after?: string | undefined;
}

/** A page of objects, with where the next one begins. */
export async function objectPage(
  list: (after: string | undefined) => AsyncIterable<SessionObject>,
  { limit, offset, after }: ObjectRange,
): Promise<ShownPage<SessionObject> & { after: string | undefined }> {
  const page = await pageFrom(list(after), { limit, offset: after === undefined ? offset : 0 });
  return { ...page, after: page.rows.at(-1)?.cursor };
}

/** The links of a page: to itself, and to the next one where there is one. @param after where the next one begins, in a list that has cursors */
export function linksOf(
  { path }: Pick<Call, 'path'>,
  params: Readonly<Record<string, string>>,
  query: QueryObject & PageRange,
  { isMore, after }: { isMore: boolean; after?: string | undefined },
) {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const at = (range: ObjectRange) => ({ href: `${place}?${encodeQuery({ ...query, ...range })}` });
  const { limit, offset } = query;
  return isMore ? { self: at(query), next: at({ limit, offset: offset + limit, after }) } : { self: at(query) };
}
