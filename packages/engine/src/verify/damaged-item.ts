import type { CatalogObject } from '../catalog/catalog.ts';
import type { ItemVersion } from '../model/items.ts';

/** An item that cannot be brought back whole. */
export interface DamagedItem {
  object: CatalogObject;
  version: ItemVersion;
}
