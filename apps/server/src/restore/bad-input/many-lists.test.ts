import { listRestoreSites, listSiteContent } from '@keepwatch/contract/restore/sites';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessionOf } from '../testing/bed-session.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { allOf } from '../testing/tenant-contents.ts';

/** More than the catalog gives in one page. */
const MANY = 1_050;

let bed: RestoreBed;
let caller: Caller;

beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['site'], users: 0, sites: 1 });
  caller = await bed.asAdministrator();
});
afterAll(() => bed.stop());

it('a site with more lists than a page has is shown with all of them', async () => {
  const [site] = (await bed.stored.catalog.findObjects({ kinds: ['site'], limit: 1 })).rows;
  const path = `/sites/${site?.id}/lists`;
  for (let number = 1; number <= MANY; number += 1)
    await bed.connection.ask({ method: 'POST', path, body: { displayName: `List ${number}` } });
  await bed.backUp();
  const restoreSessionId = await openSessionOf(bed, caller, 'vesp');
  const params = { restoreSessionId, siteId: String(site?.id) };
  expect((await caller.call(listRestoreSites, { params, query: {} })).data.results).toHaveLength(1);
  const nodes = (await caller.call(listSiteContent, { params, query: {} })).data;
  const shown = new Set(nodes.map(({ name }) => name));
  const names = (await allOf(bed, path)).map(({ displayName }) => String(displayName));
  expect(names.length).toBeGreaterThan(MANY);
  expect(names.filter((name) => name.startsWith('List ') && !shown.has(name))).toEqual([]);
}, 120_000);
