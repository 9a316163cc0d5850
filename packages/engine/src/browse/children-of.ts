import type { BrowseQuery, Page, RepositoryCatalog } from '../catalog/catalog.ts';
import type { ItemKind, ItemVersion } from '../model/items.ts';
import type { ItemScope } from './item-scope.ts';

const ROWS_A_PAGE = 1_000;

/** What is directly in a container (`null`: at the top), of some kinds and in an order, page by page. */
export async function* childrenOf(
  catalog: RepositoryCatalog,
  { object, revision, showDeleted = false }: Omit<ItemScope, 'items'>,
  parentId: string | null,
  kinds: readonly ItemKind[],
  sort: BrowseQuery['sort'] = 'name',
): AsyncGenerator<ItemVersion> {
  const query = { object: object.key, revision, parentId, kinds, sort, limit: ROWS_A_PAGE, showDeleted };
  for (let after: string | null | undefined; after !== null; ) {
    const page: Page<ItemVersion> = await catalog.browse(after === undefined ? query : { ...query, after });
    yield* page.rows;
    after = page.next;
  }
}
