import type { ItemVersion } from '@keepwatch/engine/engine';
import { notFound } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { refusing } from '../engine-refusal.ts';
import { requireItem } from '../explorers/require-items.ts';
import { requirePlace } from '../explorers/wire-ids.ts';
import type { RestoreServices } from '../restore-services.ts';
import { type OpenedSession, openSession } from '../sessions/opened-session.ts';
import type { FoundObject } from '../sessions/session-objects.ts';
import { requireAbility } from './require-ability.ts';

/** Which item of a session, and which of its versions. */
export interface ItemPlace {
  objectId: string;
  itemId: string;
  version?: number | undefined;
}

/** An item that was found in the session. */
export interface FoundVersion {
  opened: OpenedSession;
  found: FoundObject;
  item: ItemVersion;
}

/** Finds an item in a session of the caller and looks at it. @param look also gets what ends when the caller goes away */
export function lookAtItem<T>(
  services: RestoreServices,
  context: SignedInContext,
  restoreSessionId: string,
  place: ItemPlace,
  look: (item: FoundVersion, gone: AbortSignal) => Promise<T>,
): Promise<T> {
  return context.outside((gone) =>
    refusing(async () => {
      const opened = await openSession(services, context, restoreSessionId);
      requireAbility(context, opened.session.sessionType);
      const { found, item: id } = await requirePlace(opened, place.objectId, place.itemId);
      const item = await requireVersion(found, id, place.version);
      return look({ opened, found, item }, gone);
    }),
  );
}

/** The version that was named, or the one that the session shows. @throws 404 */
async function requireVersion(found: FoundObject, id: string, version: number | undefined): Promise<ItemVersion> {
  if (version === undefined) return requireItem(found, id);
  const versions = await found.stored.catalog.versionsOf(found.object.key, id);
  const named = versions.find(({ firstRevision }) => firstRevision === version);
  if (named === undefined) throw notFound('version');
  return named;
}
