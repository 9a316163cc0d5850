import type { CatalogWait } from '../catalog/catalog.ts';
import type { Output } from './output.ts';

const WAITS: Readonly<Record<CatalogWait['until'], string>> = {
  passes:
    'Waiting for a verify or prune that reads all of the catalog; the new one takes its place when that has ended',
  commits: 'Waiting for what is being written into the catalog',
  exchange: 'Waiting for a rebuild that puts a new catalog in the place of this one',
};

/** Says what nothing can be seen of otherwise: that others who work in the catalog are waited for, and whom to look at. */
export function tellWait({ until, holders }: CatalogWait, output: Output): void {
  const whom = holders.length === 0 ? '' : ` (${holders.join('; ')})`;
  const text = `${WAITS[until]}${whom}. Ctrl-C is safe: nothing is lost that is in the repository or the present catalog.`;
  output.wait(text, { until, holders });
}
