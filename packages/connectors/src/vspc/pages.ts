import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { VspcClient } from './client.ts';

/** The most a page may hold, by the vendor's documentation. */
export const PAGE_LIMIT = 500;
/** Growth of a collection while it is read is followed up to this many further pages, and no further. */
const FURTHER_PAGES_MAX = 20;
/** Five million entities: more than any console has. Ends a vendor that always says there is more. */
const PAGES_MAX = 10_000;

/** The vendor's envelope of a collection. Entities stay unread: each is read separately, so that one cannot spoil the rest. */
const collection = z.object({
  data: z.array(z.unknown()),
  meta: z.object({ pagingInfo: z.object({ total: z.int().min(0) }).nullish() }).nullish(),
  errors: z.array(z.object({ message: z.string() })).nullish(),
});

export interface Page {
  entities: readonly unknown[];
  /** What the vendor says went wrong while it made this page, though it answered 200: part of the page is missing. */
  errors: readonly string[];
}

/**
 * Reads a collection page by page as they arrive. A page shorter than asked for is followed by the next while the vendor's
 * `total` says there is more. Throws `bad-reply` for the same page twice, for a page larger than asked for, for a collection
 * that ends before its own total, and for more pages than the total allows.
 */
export async function* readPages(
  client: VspcClient,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncIterable<Page> {
  let offset = 0;
  let previous = '';
  let pagesMax = PAGES_MAX;
  for (let pageCount = 1; ; pageCount += 1) {
    const paging = { limit: String(PAGE_LIMIT), offset: String(offset) };
    const page = collection.safeParse(await client.read(path, { ...query, ...paging }, signal));
    if (!page.success) throw broken(path, `is not a collection (${z.prettifyError(page.error).replaceAll('\n', ' ')})`);
    const { data, errors } = page.data;
    if (data.length > PAGE_LIMIT) throw broken(path, `has ${data.length} entities on a page of ${PAGE_LIMIT}`);

    const content = JSON.stringify(data);
    if (data.length > 0 && content === previous) throw broken(path, `answers the same page again at ${offset}`);
    previous = content;

    yield { entities: data, errors: errors?.map((error) => error.message) ?? [] };

    offset += data.length;
    const total = page.data.meta?.pagingInfo?.total ?? (data.length === PAGE_LIMIT ? Number.POSITIVE_INFINITY : offset);
    if (offset >= total) return;
    if (data.length === 0) throw broken(path, `ended at ${offset} though it says it has ${total} entities`);
    if (pageCount === 1) pagesMax = Math.min(PAGES_MAX, Math.ceil(total / data.length) + FURTHER_PAGES_MAX);
    if (pageCount >= pagesMax) throw broken(path, `goes on after ${pageCount} pages, more than its own total allows`);
  }
}

function broken(path: string, text: string): ConnectorError {
  return new ConnectorError(
    'bad-reply',
    `The console's ${path} ${text}; what was read is stored, the rest is asked for again later`,
  );
}
