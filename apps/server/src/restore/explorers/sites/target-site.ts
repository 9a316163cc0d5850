import { EngineError } from '@keepwatch/engine/engine';
import { invalid, Refusal } from '../../../foundation/errors.ts';
import type { Connected, RestoreServices } from '../../restore-services.ts';
import type { OpenedSession } from '../../sessions/opened-session.ts';
import { objectsOf } from '../../sessions/session-objects.ts';
import type { SitePart } from './site-choice.ts';
import { libraryName } from './site-tree.ts';

/** Where the parts of a site go when they go into another one: lists into the site, libraries into those of the same name. */
export class TargetSite {
  readonly id: string;
  private readonly address: string;
  private readonly connection: Connected;
  private libraries: ReadonlyMap<string, string> | null = null;

  private constructor(connection: Connected, address: string, id: string) {
    this.connection = connection;
    this.address = address;
    this.id = id;
  }

  /** Finds a site by its address: among those of the backup, then at Microsoft. @throws 422 for one that is not there */
  static async find(services: RestoreServices, opened: OpenedSession, address: string): Promise<TargetSite> {
    const connection = await services.connectOrganization(opened.organization, 'backup');
    const asked = trimmed(address);
    for await (const site of objectsOf(opened, { kinds: ['site'], addresses: [asked] }))
      if (trimmed(site.address ?? '') === asked) return new TargetSite(connection, address, site.id);
    if (opened.reach.isLimited) throw noSite();
    return new TargetSite(connection, address, await idAtMicrosoft(connection, new URL(address)));
  }

  /** The id of what a part goes into. @throws 409 for a library that the site does not have */
  async of({ found }: SitePart): Promise<string> {
    if (found.object.kind !== 'drive') return this.id;
    this.libraries ??= await this.readLibraries();
    const name = libraryName(found);
    const library = this.libraries.get(name.toLowerCase());
    if (library !== undefined) return library;
    const message = `The site ${this.address} has no library '${name}'. Create it there, then restore again.`;
    throw new Refusal(409, 'NO_SUCH_LIBRARY', message);
  }

  private async readLibraries(): Promise<ReadonlyMap<string, string>> {
    const libraries = new Map<string, string>();
    const path = `/sites/${encodeURIComponent(this.id)}/drives?$select=id,name`;
    try {
      for await (const { value } of this.connection.pages({ path }))
        for (const { id, name } of value)
          if (typeof id === 'string' && typeof name === 'string') libraries.set(name.toLowerCase(), id);
    } catch (error) {
      // One of the backup may have been deleted since.
      throw error instanceof EngineError && error.code === 'not-found' ? noSite() : error;
    }
    return libraries;
  }
}

const trimmed = (address: string) => address.trim().replace(/\/+$/, '').toLowerCase();

/** https://learn.microsoft.com/graph/api/site-getbypath */
async function idAtMicrosoft(connection: Connected, { hostname, pathname }: URL): Promise<string> {
  const path = pathname === '/' ? `/sites/${hostname}` : `/sites/${hostname}:${pathname.replace(/\/+$/, '')}`;
  const found = await connection.ask({ path }).catch((error: unknown) => {
    if (error instanceof EngineError && !error.isRetryable) return {};
    throw error;
  });
  const id = 'id' in found ? found['id'] : undefined;
  if (typeof id === 'string') return id;
  throw noSite();
}

/** Also of a site that a restore operator may not see: the reply does not show which of the two. */
const noSite = () =>
  invalid([{ path: 'body.siteURL', message: 'there is no site at this address in the organization' }]);
