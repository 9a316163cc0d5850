import { listRestoreSites, listSiteContent, listSiteFolders, type SiteNode } from '@keepwatch/contract/restore/sites';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessionOf } from './bed-session.ts';
import type { RestoreBed } from './restore-bed.ts';
import { filesBelow } from './tenant-contents.ts';

/** A site of the backup with its libraries and lists. */
export interface BackedUpSite {
  params: { restoreSessionId: string; siteId: string };
  url: string;
  /** The library `Documents`, which the sites of all groups have. */
  library: SiteNode;
  /** The list `Inventory`, likewise. */
  list: SiteNode;
  /** How many libraries it has. */
  libraries: number;
}

/** The sites of a bed that have a library and a list of the names above. */
export async function backedUpSites(bed: RestoreBed, caller: Caller): Promise<BackedUpSite[]> {
  const restoreSessionId = await openSessionOf(bed, caller, 'vesp');
  const query = { limit: 100 };
  const sites = (await caller.call(listRestoreSites, { params: { restoreSessionId }, query })).data.results;
  const found: BackedUpSite[] = [];
  for (const { id: siteId, url } of sites) {
    const params = { restoreSessionId, siteId };
    const nodes = (await caller.call(listSiteContent, { params, query: {} })).data;
    const libraries = nodes.filter(({ type }) => type === 'library').length;
    const library = nodes.find(({ type, name }) => type === 'library' && name === 'Documents');
    const list = nodes.find(({ type, name }) => type === 'list' && name === 'Inventory');
    if (library !== undefined && list !== undefined) found.push({ params, url: url ?? '', library, list, libraries });
  }
  return found;
}

/** A folder at the top of the library of a site that has files, with those files. */
export async function filledFolder(bed: RestoreBed, caller: Caller, { params, library }: BackedUpSite) {
  const query = { parentId: library.id, limit: 100 };
  for (const folder of (await caller.call(listSiteFolders, { params, query })).data.results) {
    const files = await filesBelow(bed, library.id, folder.id.slice(library.id.length + 1));
    if (files.size > 0) return { folder, files };
  }
  throw new Error('No folder of the library has files.');
}
