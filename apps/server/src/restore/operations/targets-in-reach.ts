import type { ListedObject } from '@keepwatch/engine/engine';
import { invalid } from '../../foundation/errors.ts';
import { type Identified, identityOf } from '../roles/coverage.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import type { ObjectKind } from '../sessions/repository-objects.ts';
import type { FoundObject } from '../sessions/session-objects.ts';

/** Something that goes somewhere: back to where it was without `to`. */
interface Part {
  found: { object: { kind: ObjectKind } };
  to: string | null;
}

/** With what `to` is: the roles are looked at again before and while a worker writes into it. */
type InReach<P extends Part> = P & { into?: Identified };

/**
 * Lets a restore operator write into what the roles cover and nowhere else: the mailbox of another person must be neither changed nor, by a plan,
 * asked about. The target is named by its id from here on: an address may be another person's now.
 * @throws 422 that does not show whether the target exists
 */
export function targetsInReach<P extends Part>(opened: OpenedSession, parts: readonly P[]): Promise<InReach<P>[]> {
  return Promise.all(parts.map((part) => targetInReach(opened, part)));
}

async function targetInReach<P extends Part>(opened: OpenedSession, part: P): Promise<InReach<P>> {
  if (part.to === null || !opened.reach.isLimited) return part;
  const into = await objectInReach(opened, part.found.object.kind, part.to);
  if (into !== null) return { ...part, to: into.id, into: identityOf(into) };
  const message = 'restore to where it was, or into something that your restore operator role covers';
  throw invalid([{ path: 'body', message }]);
}

/** How people know a target that was named by its id: by its name, where the backups have it and the reach covers it. */
export async function nameOfTarget(opened: OpenedSession, { object }: FoundObject, to: string | null) {
  const into = to === null ? null : await objectInReach(opened, object.kind, to);
  return into?.id.toLowerCase() === to?.toLowerCase() ? (into?.name ?? to) : to;
}

/** Of those that have the address or owner: one that the reach covers is among them, if there is any. */
const OBJECTS_A_PAGE = 1_000;

/** What an id or an address names, of a kind: something that the backups have and the reach covers. */
async function objectInReach(opened: OpenedSession, kind: ObjectKind, to: string): Promise<ListedObject | null> {
  const asked = to.trim().toLowerCase();
  // An archive goes into a mailbox as well.
  const kinds: ObjectKind[] = kind === 'archive' ? ['mailbox', 'archive'] : [kind];
  const ids = [...new Set([to.trim(), asked])];
  for (const { stored } of opened.points)
    for (const named of waysToName(opened, stored, kinds, ids)) {
      const query = { organizationId: opened.organization.tenantId, kinds, limit: OBJECTS_A_PAGE, ...named };
      const found = (await stored.catalog.findObjects(query)).rows.find((object) => isNamed(object, asked));
      if (found !== undefined) return found;
    }
  return null;
}

/** By its id, its address, or the id of its owner. */
function waysToName(
  { organization }: OpenedSession,
  { repository }: OpenedSession['points'][number]['stored'],
  kinds: readonly ObjectKind[],
  ids: readonly string[],
) {
  const keys = kinds.flatMap((kind) =>
    ids.map((id) => repository.objectKey({ organizationId: organization.tenantId, kind, id })),
  );
  return [{ keys }, { addresses: ids }, { owners: ids.map((id) => `user/${id}`) }];
}

function isNamed({ id, address, owner }: Identified, asked: string): boolean {
  return [id, address, owner?.replace(/^user\//, '')].some((name) => name?.toLowerCase() === asked);
}
