import { type ItemScope, weighScope } from '../browse/item-scope.ts';
import { type NotBackedUp, notBackedUp } from '../browse/not-backed-up.ts';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ContentName, ItemKind, ItemVersion, StoredContent } from '../model/items.ts';
import type { ChunkIndex } from '../repository/chunk-index.ts';
import type { Repository } from '../repository/repository.ts';

export interface ExportParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  /** Where chunks are, when that was looked up for many items at once; without, the catalog is asked. */
  index?: ChunkIndex;
  signal: AbortSignal;
  onProgress?: (progress: ExportProgress) => void;
  /** Called with every item that is not as it was in the export, as it turns out. */
  onItem?: (item: MissingItem, what: 'missing' | 'without' | 'changed') => void;
}

export interface ExportProgress {
  items: number;
  bytes: number;
  totalItems: number;
  totalBytes: number;
}

/** An item that is not in the export, and why. An export with any of them is not complete, and says so. */
export interface MissingItem {
  id: string;
  name: string;
  path: readonly string[];
  reason: string;
}

export interface ExportResult {
  items: number;
  bytes: number;
  /** Paths of what was written. */
  files: string[];
  /** Nothing but these is lacking. */
  missing: MissingItem[];
  /** What has nothing to export, such as a link to another drive: no loss, but reported. */
  without: MissingItem[];
  /** What is in the export in another form, as it could not be split into its parts: nothing of it is missing. */
  changed: MissingItem[];
  /** How many names of a ZIP are not as they were, so that every system takes them and none comes twice. */
  renamed: number;
}

export function contentOf(item: ItemVersion, name: ContentName): StoredContent | null {
  return item.contents.find((content) => content.name === name) ?? null;
}

/** The bytes of a content, as they come. */
export function readContent(
  { repository, catalog, index, signal }: ExportParts,
  content: StoredContent,
): AsyncIterable<Buffer> {
  return repository.read(content, index ?? catalog, signal);
}

/** What a small content may hold; anything larger is streamed. */
const WHOLE_BYTES_MAX = 64 * 1024 * 1024;

/** A small content whole. @throws what the repository throws, `damaged` among it; `damaged` for one that claims to be huge */
export async function readWhole(parts: ExportParts, content: StoredContent): Promise<Buffer> {
  if (content.sizeBytes > WHOLE_BYTES_MAX)
    throw new EngineError('damaged', `Its ${content.name} says it has ${content.sizeBytes} bytes, which none has.`);
  const read: Buffer[] = [];
  for await (const bytes of readContent(parts, content)) read.push(bytes);
  return Buffer.concat(read);
}

/** The content `properties`, parsed. @throws `damaged` */
export async function readProperties(
  parts: ExportParts,
  item: ItemVersion,
): Promise<Readonly<Record<string, unknown>>> {
  const content = contentOf(item, 'properties');
  if (content === null) return {};
  const value: unknown = parsed((await readWhole(parts, content)).toString());
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new EngineError('damaged', `The properties of '${item.name}' are no JSON object.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the backup lacks, as an export reports it. */
export function missingOf({ id, name, path, reason }: NotBackedUp): MissingItem {
  return { id, name, path, reason };
}

/** Counts what is done and reports it. */
export class ExportCount {
  items = 0;
  bytes = 0;
  readonly missing: MissingItem[] = [];
  readonly without: MissingItem[] = [];
  readonly changed: MissingItem[] = [];
  renamed = 0;
  private readonly parts: ExportParts;
  private readonly total: { items: number; bytes: number };

  private constructor(parts: ExportParts, total: { items: number; bytes: number }) {
    this.parts = parts;
    this.total = total;
  }

  /** What is known not to be in the backup is missing from the start. @param isOf kinds that the export is of; `null`: a part of the object */
  static async of(
    parts: ExportParts,
    scope: ItemScope,
    isOf: (kind: ItemKind | null) => boolean = () => true,
  ): Promise<ExportCount> {
    const count = new ExportCount(parts, await weighScope(parts.catalog, scope));
    for (const item of await notBackedUp(parts.catalog, scope))
      if (isOf(item.kind)) count.add('missing', missingOf(item));
    return count;
  }

  done(bytes: number): void {
    this.items += 1;
    this.bytes += bytes;
    const { items, bytes: moved } = this;
    this.parts.onProgress?.({ items, bytes: moved, totalItems: this.total.items, totalBytes: this.total.bytes });
  }

  /** @throws the error itself when it ends the whole export: a request to stop, a store that is gone */
  miss({ id, name }: Pick<ItemVersion, 'id' | 'name'>, path: readonly string[], error: unknown): void {
    this.parts.signal.throwIfAborted();
    if (!isOfOneItem(error)) throw error;
    this.add('missing', { id, name, path, reason: error instanceof Error ? error.message : String(error) });
  }

  /** Reports an item that has nothing to export, or is there in another form. */
  add(what: 'missing' | 'without' | 'changed', item: MissingItem): void {
    this[what].push(item);
    this.parts.onItem?.(item, what);
  }

  result(files: string[]): ExportResult {
    const { items, bytes, missing, without, changed, renamed } = this;
    return { items, bytes, files, missing, without, changed, renamed };
  }
}

/** Whether an error concerns one item alone: its bytes are damaged or gone, and the next may be whole. */
export function isOfOneItem(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  return ['damaged', 'not-found', 'bad-request'].includes(error.code);
}
