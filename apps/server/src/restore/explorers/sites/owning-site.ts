import type { CatalogObject } from '@keepwatch/engine/engine';
import type { OpenedSession } from '../../sessions/opened-session.ts';
import { objectsOf } from '../../sessions/session-objects.ts';
import { isLibraryOf, parentAddress } from './site-tree.ts';

type Library = Pick<CatalogObject, 'kind' | 'id' | 'owner' | 'address'>;

/**
 * Finds the site that shows a library of a group or team, which names its group alone: by its address, each once. @returns `null` for what is no
 * such library, or is in no site of the session
 */
export function owningSites(opened: OpenedSession): (object: Library) => Promise<string | null> {
  const known = new Map<string, Promise<string | null>>();
  return async (library) => {
    const isOfGroup = library.kind === 'drive' && /^(group|team)\//.test(library.owner ?? '');
    if (opened.session.sessionType !== 'vesp' || !isOfGroup) return null;
    const address = parentAddress(library);
    const found = known.get(address) ?? siteOf(opened, library, address);
    known.set(address, found);
    return found;
  };
}

async function siteOf(opened: OpenedSession, library: Library, address: string): Promise<string | null> {
  for await (const site of objectsOf(opened, { kinds: ['site'], addresses: [address] }))
    if (isLibraryOf(library, site)) return site.id;
  return null;
}
