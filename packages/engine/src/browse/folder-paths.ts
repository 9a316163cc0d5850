import type { ItemVersion } from '../model/items.ts';

/** Where items of a walk stand: containers come before what they hold, so a path is known when it is asked for. */
export class FolderPaths {
  private readonly paths = new Map<string, readonly string[]>();
  private readonly nameOf: (item: ItemVersion, parent: readonly string[]) => string;

  /** @param nameOf the name of a container in its path */
  constructor(nameOf: (item: ItemVersion, parent: readonly string[]) => string = (item) => item.name) {
    this.nameOf = nameOf;
  }

  /** The path of the container that holds an item; empty for what stands at the top of the walk. */
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
