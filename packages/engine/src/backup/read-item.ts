import { EngineError } from '../model/engine-error.ts';
import type { ContentName, Item, StoredContent, StoredItem } from '../model/items.ts';
import type { Alert } from '../model/outcome.ts';
import type { NewContent, Run } from '../repository/repository.ts';
import type { SourceContent, SourceEvent } from '../source/source.ts';

/** An item whose bytes the source did not give. */
export class UnreadableItem extends Error {
  override readonly cause: EngineError;

  constructor(cause: EngineError) {
    super(cause.message);
    this.cause = cause;
  }
}

export type ItemEvent = Extract<SourceEvent, { type: 'item' }>;

/** An item whose contents were read; nothing of it refers to their bytes. */
export interface ReadItem {
  item: Item;
  /** Where its contents are, when it is known. */
  storing: () => Promise<StoredContent[]>;
  /** The contents that the source did not give, since they are unchanged. */
  unchanged: readonly ContentName[];
  /** In the order of the source. */
  names: readonly ContentName[];
  alerts: () => readonly Alert[];
}

/**
 * Reads an item's contents into the run.
 * @param current the version that is stored, whose contents may stay
 * @throws UnreadableItem when the source does not give them; what repository and catalog throw as it is
 */
export async function readItem(
  { item, contents }: ItemEvent,
  current: StoredItem | null,
  run: Run,
  signal: AbortSignal,
): Promise<ReadItem> {
  const unchanged = contents.flatMap((content) => ('keep' in content ? [content.name] : []));
  const missing = unchanged.find((name) => !current?.contents.some((content) => content.name === name));
  const storing = await run.give(newContents(contents, signal));
  if (missing !== undefined) throw notStored(item, missing);
  return { item, storing, unchanged, names: contents.map(({ name }) => name), alerts: alertsOf(contents) };
}

function newContents(contents: readonly SourceContent[], signal: AbortSignal): NewContent[] {
  return contents.flatMap((content): NewContent[] => ('keep' in content ? [] : [bytesOf(content, signal)]));
}

function alertsOf(contents: readonly SourceContent[]): () => readonly Alert[] {
  const asked = contents.flatMap((content) => ('alerts' in content && content.alerts ? [content.alerts] : []));
  return () => asked.flatMap((alerts) => alerts());
}

/** The item as it is stored, when it is known where its contents are. */
export async function storedItem(
  { item, storing, unchanged, names }: ReadItem,
  current: StoredItem | null,
): Promise<StoredItem> {
  const written = await storing();
  const contents = unchanged.length === 0 ? written : merged(names, written, current?.contents ?? []);
  return { ...item, sizeBytes: item.sizeBytes || sizeOfMime(contents), contents };
}

function notStored({ name }: Item, content: string): UnreadableItem {
  const text = `The source reports the content ${content} of '${name}' as unchanged, but it is not stored.`;
  return new UnreadableItem(new EngineError('damaged', text));
}

/** New contents and unchanged ones, in the order of the source. */
function merged(
  names: readonly ContentName[],
  written: readonly StoredContent[],
  current: readonly StoredContent[],
): StoredContent[] {
  const known = new Map([...current, ...written].map((content) => [content.name, content]));
  return names.flatMap((name) => known.get(name) ?? []);
}

/** The size of a message whose source reports none: a download has at least that size. */
function sizeOfMime(contents: readonly StoredContent[]): number {
  return contents.find(({ name }) => name === 'mime')?.sizeBytes ?? 0;
}

function bytesOf(content: Exclude<SourceContent, { keep: true }>, signal: AbortSignal): NewContent {
  if ('bytes' in content) return content;
  return { name: content.name, bytes: marked(content, signal), sizeBytes: content.sizeBytes };
}

type OpenContent = Extract<SourceContent, { open: unknown }>;

/** Distinguishes a source's errors from those of the repository that the same call may throw. Opened when its first byte is asked for. */
async function* marked(content: OpenContent, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* content.open(signal);
  } catch (cause) {
    const error = sourceError(cause, signal);
    throw error instanceof EngineError ? new UnreadableItem(error) : error;
  }
}

/** What a source threw, as an error that concerns what it was reading and no more. What an abort threw stays as it is. */
export function sourceError(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || cause instanceof EngineError) return cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  return new EngineError('source-refused', `Unexpected: ${text}`, { cause });
}

/** Whether nothing of an item differs from what is stored. */
export function isSame(one: StoredItem, other: StoredItem | null): boolean {
  return other !== null && comparable(one) === comparable(other);
}

function comparable({ id, kind, parentId, name, sizeBytes, modifiedAt, details, contents }: StoredItem): string {
  const shown = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [two]) => (one < two ? -1 : 1));
  const places = [...contents].sort((one, two) => (one.name < two.name ? -1 : 1)).map(placeOf);
  return JSON.stringify([id, kind, parentId, name, sizeBytes, modifiedAt, shown, places]);
}

function placeOf(content: StoredContent) {
  return [content.name, content.sizeBytes, 'segments' in content ? content.segments : content.list];
}
