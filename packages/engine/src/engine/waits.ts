import type { CatalogWait, CatalogWaits } from '../catalog/catalog.ts';
import type { Stored, Work } from './work.ts';

const WAITS: Readonly<Record<CatalogWait['until'], string>> = {
  passes:
    'Waiting for a verify or prune that reads all of the catalog; the new one takes its place when that has ended',
  commits: 'Waiting for what is being written into the catalog',
  exchange: 'Waiting for a rebuild that puts a new catalog in the place of this one',
};

/** The same repository and catalog for a piece of work, which reports how it waits for others in the catalog. */
export function reportingWaits({ repository, catalog }: Stored, work: Work): Stored {
  return { repository, catalog: catalog.withWaits(catalogWaits(work)) };
}

/** How a piece of work waits in the catalog: it can be stopped, and reports whom it waits for, of which nothing can be seen otherwise. */
export function catalogWaits({ signal, onEvent }: Work): CatalogWaits {
  return {
    signal,
    onWait({ until: on, holders }) {
      const whom = holders.length === 0 ? '' : ` (${holders.join('; ')})`;
      const message = `${WAITS[on]}${whom}.`;
      onEvent({ type: 'waiting', on, message, until: null, holders });
    },
  };
}
