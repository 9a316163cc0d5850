import type { CatalogObject, RepositoryCatalog } from '../catalog/catalog.ts';
import type { ContentName, ItemVersion, StoredContent } from '../model/items.ts';
import type { Repository } from '../repository/repository.ts';

export interface ExportParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  signal: AbortSignal;
  onProgress?: (progress: ExportProgress) => void;
}

export interface ExportProgress {
  items: number;
  bytes: number;
  totalItems: number;
  totalBytes: number;
}

/** What is exported: all of an object (`from` null), an item with all below it, or some items. */
export interface ExportScope {
  object: CatalogObject;
  revision: number;
  from: string | null;
  /** Items alone, wherever they are; then `from` is not looked at. */
  items?: readonly string[];
  showDeleted?: boolean;
}

/** An item that is not in the export, and why. An export with any of them is not complete, and says so. */
export interface MissingItem {
  id: string;
  name: string;
  path: string[];
  reason: string;
}

export interface ExportResult {
  items: number;
  bytes: number;
  /** Paths of what was written. */
  files: string[];
  missing: MissingItem[];
}

/** The versions that a scope means, containers before what they hold. */
export async function* versionsOf({ catalog }: ExportParts, scope: ExportScope): AsyncGenerator<ItemVersion> {
  if (scope.items === undefined) {
    yield* catalog.walk(scope.object.key, scope.revision, scope.from, { showDeleted: scope.showDeleted ?? false });
    return;
  }
  for (const id of scope.items) {
    const item = await catalog.item(scope.object.key, scope.revision, id);
    if (item !== null) yield item;
  }
}

/** Count and bytes of a scope: what a person is told before a download begins. */
export async function weighScope(
  { catalog }: Pick<ExportParts, 'catalog'>,
  scope: ExportScope,
): Promise<{ items: number; bytes: number }> {
  const { object, revision } = scope;
  if (scope.items === undefined) return catalog.weigh(object.key, revision, scope.from);
  let [items, bytes] = [0, 0];
  for (const id of scope.items) {
    const weight = await catalog.weigh(object.key, revision, id);
    items += weight.items;
    bytes += weight.bytes;
  }
  return { items, bytes };
}

export function contentOf(item: ItemVersion, name: ContentName): StoredContent | null {
  return item.contents.find((content) => content.name === name) ?? null;
}

/** A small content whole. @throws what the repository throws; `damaged` among it */
export async function readWhole({ repository, catalog, signal }: ExportParts, content: StoredContent): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const bytes of repository.read(content, catalog, signal)) parts.push(bytes);
  return Buffer.concat(parts);
}

/** Counts what is done and tells it. */
export class ExportCount {
  items = 0;
  bytes = 0;
  readonly missing: MissingItem[] = [];
  private readonly parts: ExportParts;
  private readonly total: { items: number; bytes: number };

  constructor(parts: ExportParts, total: { items: number; bytes: number }) {
    this.parts = parts;
    this.total = total;
  }

  done(bytes: number): void {
    this.items += 1;
    this.bytes += bytes;
    this.parts.onProgress?.({
      items: this.items,
      bytes: this.bytes,
      totalItems: this.total.items,
      totalBytes: this.total.bytes,
    });
  }
}
