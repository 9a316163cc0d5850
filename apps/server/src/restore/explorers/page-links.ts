import type { Call } from '@keepwatch/contract/wire/call';
import { encodeQuery, type QueryObject } from '@keepwatch/contract/wire/query';

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

/** The links of a page: to itself, and to the next one where there is one. */
export function linksOf(
  { path }: Pick<Call, 'path'>,
  params: Readonly<Record<string, string>>,
  query: QueryObject & PageRange,
  isMore: boolean,
) {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const at = (range: PageRange) => ({ href: `${place}?${encodeQuery({ ...query, ...range })}` });
  const { limit, offset } = query;
  return isMore ? { self: at(query), next: at({ limit, offset: offset + limit }) } : { self: at(query) };
}
