import type { ChangeLog } from './change-log.ts';
import { type CollectionOptions, linkTo, pageSizeOf } from './collection.ts';
import type { GraphCall, GraphReply } from './graph-call.ts';
import { isObject, type JsonObject, numberOf } from './json.ts';
import { badRequest, syncStateGone } from './refusals.ts';
import { contextOf, shape } from './representation.ts';

/** A collection that can report what changed. */
export interface DeltaSource {
  changes: ChangeLog;
  /** Whether an entity of the log is of this collection, where the log serves several; default yes. */
  isOwn?: (key: string) => boolean;
  /** The entity as it is now, or several that represent it; `undefined` for what is not in the collection any more. */
  read: (key: string) => JsonObject | readonly JsonObject[] | undefined;
  /** Whether the removal of an entity is not reported; default no. */
  isUnreported?: (key: string) => boolean;
  /** What leaves for an entity that is gone; default `{ id: key, '@removed': { reason: 'deleted' } }`. */
  removed?: (key: string) => JsonObject;
  /**
   * Entities that are in the collection without a change on record, which come first in the first round. They leave only
   * while `isUnchanged` says that no change has replaced them.
   */
  untouched?: { length: number; keyAt: (index: number) => string; isUnchanged: (key: string) => boolean };
  /** The code of 410 Gone; default `SyncStateNotFound`. */
  goneCode?: string;
}

/** What a token contains: the position, the query it was made for, and when it was made. */
interface Progress {
  position: number;
  /** Position in the untouched entities; absent once they have all left. */
  untouched?: number;
  /** Removals up to here say nothing to a client whose first round began here: it never knew what went. */
  silentUntil: number;
  query: Record<string, string>;
  madeMs: number;
}

/** Days a delta token is good for. */
const lifetimeMs = 30 * 86_400_000;

/**
 * Answers a delta function: pages with `@odata.nextLink`, at the end `@odata.deltaLink`. A token carries the query it was
 * made for, as at the vendor. `$deltatoken=latest` (or `token=latest`) gives a link for what comes from now on.
 * @throws GraphError 410 for a token that is too old or of another life of this collection
 */
export function deltaReply(call: GraphCall, source: DeltaSource, options: CollectionOptions): GraphReply {
  const token = call.query.get('$skiptoken') ?? call.query.get('$deltatoken') ?? call.query.get('token');
  const fresh: Progress = {
    position: 0,
    ...(source.untouched ? { untouched: 0 } : {}),
    silentUntil: source.changes.position,
    query: Object.fromEntries([...call.query].filter(([name]) => tokenQuery.includes(name))),
    madeMs: call.tenant.nowMs(),
  };
  if (token === 'latest') {
    const { untouched: _, ...latest } = { ...fresh, position: source.changes.position, silentUntil: 0 };
    return { status: 200, body: { ...finish(call, options, latest), value: [] } };
  }
  const progress = token ? readToken(call, token, source) : fresh;
  for (const [name, value] of Object.entries(progress.query)) if (!call.query.has(name)) call.query.set(name, value);
  return page(call, source, options, progress);
}

/** Parameters that a token contains. */
const tokenQuery = ['$select', '$filter', '$expand', '$top', 'includeHiddenFolders', 'startDateTime', 'endDateTime'];

function page(call: GraphCall, source: DeltaSource, options: CollectionOptions, progress: Progress): GraphReply {
  const size = pageSizeOf(call, options);
  const make = shape(call, options);
  const value: JsonObject[] = [];
  const isUnreported = (key: string) => call.tenant.behaviours.missingTombstones || source.isUnreported?.(key) === true;
  let { untouched, position } = progress;
  while (source.untouched && untouched !== undefined && value.length < size) {
    if (untouched >= source.untouched.length) untouched = undefined;
    else {
      const key = source.untouched.keyAt(untouched++);
      const entity = source.untouched.isUnchanged(key) ? source.read(key) : undefined;
      if (entity) value.push(...[entity].flat().map(make));
    }
  }
  let isMore = value.length >= size && (untouched !== undefined || source.changes.position > position);
  if (!isMore) {
    for (const change of source.changes.after(position)) {
      isMore = value.length >= size;
      if (isMore) break;
      position = change.position;
      if (source.isOwn?.(change.key) === false) continue;
      const entity = change.isRemoved ? undefined : source.read(change.key);
      if (entity) value.push(...[entity].flat().map(make));
      else if (change.position > progress.silentUntil && !isUnreported(change.key))
        value.push(source.removed?.(change.key) ?? removedEntity(change.key));
    }
  }
  const { untouched: _, ...rest } = progress;
  const reached = { ...rest, position, ...(untouched === undefined ? {} : { untouched }) };
  if (!isMore) return { status: 200, body: { ...finish(call, options, reached), value } };
  const nextLink = linkTo(call, { ...forgotten, $skiptoken: tokenOf(reached) });
  return { status: 200, body: { '@odata.context': contextOf(call, options), '@odata.nextLink': nextLink, value } };
}

const removedEntity = (id: string) => ({ id, '@removed': { reason: 'deleted' } });

const forgotten = {
  ...Object.fromEntries(tokenQuery.map((name) => [name, undefined])),
  $deltatoken: undefined,
  $skiptoken: undefined,
  token: undefined,
};

function finish(call: GraphCall, options: CollectionOptions, progress: Progress) {
  const token = tokenOf({ ...progress, silentUntil: 0, madeMs: call.tenant.nowMs() });
  return {
    '@odata.context': contextOf(call, options),
    ...(!call.tenant.behaviours.endlessDeltas && {
      '@odata.deltaLink': linkTo(call, { ...forgotten, $deltatoken: token }),
    }),
  };
}

const tokenOf = (progress: Progress) => Buffer.from(JSON.stringify(progress)).toString('base64url');

function readToken(call: GraphCall, token: string, source: DeltaSource): Progress {
  const progress = parseProgress(token);
  if (!progress) throw badRequest('Badly formed token.', 'SyncStateInvalid');
  const isTooOld = call.tenant.nowMs() - progress.madeMs > lifetimeMs;
  if (isTooOld || progress.position > source.changes.position) throw syncStateGone(source.goneCode);
  return progress;
}

function parseProgress(token: string): Progress | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!isObject(value) || typeof value['position'] !== 'number' || typeof value['madeMs'] !== 'number')
      return undefined;
    const query = isObject(value['query']) ? value['query'] : {};
    return {
      position: value['position'],
      ...(typeof value['untouched'] === 'number' ? { untouched: value['untouched'] } : {}),
      silentUntil: numberOf(value['silentUntil']) ?? 0,
      query: Object.fromEntries(Object.entries(query).map(([name, text]) => [name, String(text)])),
      madeMs: value['madeMs'],
    };
  } catch {
    return undefined;
  }
}
