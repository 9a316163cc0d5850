import type { SourceEvent } from '../../source.ts';
import { versionsAsked } from '../earlier-versions.ts';
import type { Reading } from '../reader.ts';
import { readListItems } from './list-items.ts';
import { listEvents } from './lists.ts';
import { OwnInterface } from './own-interface.ts';
import { readPages } from './pages.ts';
import { readRoleAssignments } from './role-assignments.ts';
import { hasNoPages, readSiteParts, siteEvents } from './site-parts.ts';

/** A site with its lists and pages. Its libraries are drives, and the sites below it sites of their own. */
export async function* readSite(reading: Reading): AsyncGenerator<SourceEvent> {
  const parts = await readSiteParts(reading);
  yield* siteEvents(reading, parts);
  const lists = yield* listEvents(reading, parts);
  const own = new OwnInterface(reading, parts);
  yield* readListItems(reading, lists, own, yield* versionsAsked(reading));
  yield* readRoleAssignments(reading, own, parts, lists);
  const { pages } = parts;
  if (Array.isArray(pages)) yield* readPages(reading, pages);
  else if (!hasNoPages(pages, parts.lists)) yield await reading.failures.partFailed('the pages', pages);
}
