import type { ItemVersion } from '../model/items.ts';

/** The paths of the items of a walk: containers come before what is in them, so a path is known when it is asked for. */
export class FolderPaths {
  private readonly paths = new Map<string, readonly string[]>();
  private readonly nameOf: (item: ItemVersion, parent: readonly string[]) => string;

  /** @param nameOf the name of a container in its path */
  constructor(nameOf: (item: ItemVersion, parent: readonly string[]) => string = (item) => item.name) {
    this.nameOf = nameOf;
  }

  /** The path of the container that an item is in; empty for an item at the top of the walk. */
  parentOf(item: ItemVersion): readonly string[] {
    return this.paths.get(item.parentId ?? '') ?? [];
  }

  /** Remembers a container. @returns its path */
  enter(container: ItemVersion): readonly string[] {
    const parent = this.parentOf(container);
    const path = [...parent, this.nameOf(container, parent)];
    this.paths.set(container.id, path);
    return path;
  }
}
