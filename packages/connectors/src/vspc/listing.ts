import { z } from 'zod';
import type { FailedEntity, Read } from '../ports/backup-source.ts';
import type { VspcClient } from './client.ts';
import { readPages } from './pages.ts';

/** A value that has the right type and cannot be true. Its message is the reason the entity is listed with. */
export class BadValueError extends Error {
  override name = 'BadValueError';
}

/** One collection of the console and how an entity of it is read. */
export interface Listing<T> {
  /** As in `FailedEntity.entity`. */
  entity: string;
  path: string;
  query?: Readonly<Record<string, string>>;
  /** The field whose value is the entity's id: `instanceUid` unless said; `null` where an entity has none of its own. */
  idField?: string | null;
  /** Reads one entity; `null` leaves it out, because it belongs elsewhere. Throws `ZodError` or `BadValueError`. */
  read(raw: unknown): T | null;
}

const REASON_LENGTH_MAX = 500;
const record = z.record(z.string(), z.unknown());
const id = z.string().max(100);

/** Yields every entity of a collection once, each read separately. Skips an entity that a shifting page shows again. */
export async function* list<T>(client: VspcClient, listing: Listing<T>, signal: AbortSignal): AsyncIterable<Read<T>> {
  const seen = new Set<string>();
  for await (const page of readPages(client, listing.path, listing.query ?? {}, signal)) {
    for (const reason of page.errors) yield { failed: { entity: listing.entity, externalId: null, reason } };
    for (const raw of page.entities) {
      signal.throwIfAborted();
      const externalId = idOf(raw, listing.idField === undefined ? 'instanceUid' : listing.idField);
      if (externalId !== null && seen.has(externalId)) continue;
      if (externalId !== null) seen.add(externalId);
      const read = readEntity(listing, raw, externalId);
      if (read) yield read;
    }
  }
}

/** The id of an entity that may be unreadable otherwise. */
export function idOf(raw: unknown, field: string | null): string | null {
  return field === null ? null : (id.safeParse(record.safeParse(raw).data?.[field]).data ?? null);
}

/** Reads one entity, or says why it cannot be read. */
export function readEntity<T>(
  listing: Pick<Listing<T>, 'entity' | 'read'>,
  raw: unknown,
  externalId: string | null,
): Read<T> | null {
  try {
    const value = listing.read(raw);
    return value === null ? null : { value };
  } catch (error) {
    return { failed: { entity: listing.entity, externalId, reason: reasonOf(error) } };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof BadValueError) return error.message.slice(0, REASON_LENGTH_MAX);
  if (!(error instanceof z.ZodError)) throw error;
  const issues = error.issues.map((issue) => `${issue.path.join('.') || 'entity'}: ${issue.message}`);
  return issues.join('; ').slice(0, REASON_LENGTH_MAX);
}

/** Reads a collection others refer to by id, whole; what could not be read is handed on to be listed. */
export async function readLookup<T extends { externalId: string }>(
  client: VspcClient,
  listing: Listing<T>,
  signal: AbortSignal,
): Promise<{ byId: ReadonlyMap<string, T>; failed: readonly { failed: FailedEntity }[] }> {
  const byId = new Map<string, T>();
  const failed: { failed: FailedEntity }[] = [];
  for await (const read of list(client, listing, signal)) {
    if ('value' in read) byId.set(read.value.externalId, read.value);
    else failed.push(read);
  }
  return { byId, failed };
}
