import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { ItemVersion } from '../model/items.ts';
import type { ItemScope } from './item-scope.ts';

/** More than any source nests; a circle of folders must not hang a restore. */
const DEPTH_MAX = 400;

/** The containers of an object as they were at a revision, wherever an item comes from; each is asked for once. */
export class ContainerPaths {
  private readonly catalog: RepositoryCatalog;
  private readonly scope: Pick<ItemScope, 'object' | 'revision'>;
  private readonly asked = new Map<string, Promise<ItemVersion | null>>();

  constructor(catalog: RepositoryCatalog, scope: Pick<ItemScope, 'object' | 'revision'>) {
    this.catalog = catalog;
    this.scope = scope;
  }

  /** Remembers a container that a walk came by. */
  saw(container: ItemVersion): void {
    this.asked.set(container.id, Promise.resolve(container));
  }

  /** A container as it was, or, when it was deleted before that, as it was last. `null`: it was never stored. */
  container(id: string): Promise<ItemVersion | null> {
    const known = this.asked.get(id) ?? this.item(id);
    this.asked.set(id, known);
    return known;
  }

  /** The containers above an item, from the top down. One that was never stored ends the way: what is above it is unknown. */
  async above(parentId: string | null): Promise<ItemVersion[]> {
    const above: ItemVersion[] = [];
    for (let id = parentId; id !== null && above.length < DEPTH_MAX; ) {
      const container = await this.container(id);
      if (container === null) break;
      above.unshift(container);
      id = container.parentId;
    }
    return above;
  }

  async namesAbove(parentId: string | null): Promise<string[]> {
    return (await this.above(parentId)).map(({ name }) => name);
  }

  /** An item as `container` gives one; nothing is remembered. */
  async item(id: string): Promise<ItemVersion | null> {
    const { object, revision } = this.scope;
    const found = await this.catalog.item(object.key, revision, id);
    if (found !== null) return found;
    const versions = await this.catalog.versionsOf(object.key, id);
    return versions.find(({ firstRevision }) => firstRevision <= revision) ?? null;
  }

  /** Other items of its kind and name in its container: 100 of them at most. */
  namesakes(item: ItemVersion): Promise<ItemVersion[]> {
    const { object, revision } = this.scope;
    return this.catalog.namesakes(object.key, revision, item);
  }
}
