import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { CONTAINER_KINDS } from '../model/items.ts';

const ROWS_A_PAGE = 1_000;

/**
 * Finds a folder by its path in an object: names from the top down with slashes between; a slash in a name as `\/`.
 * @returns its id; `null` for the top
 * @throws `not-found` that names the part that is not there, `bad-request` where two have the same name
 */
export async function folderAtPath(
  catalog: RepositoryCatalog,
  object: string,
  revision: number,
  path: string,
): Promise<string | null> {
  let parentId: string | null = null;
  const above: string[] = [];
  for (const name of namesOf(path)) {
    const found: { id: string; name: string }[] = [];
    for await (const folder of foldersIn(catalog, object, revision, parentId))
      if (folded(folder.name) === folded(name)) found.push(folder);
    const same = found.filter((folder) => folder.name === name);
    const [folder, ...others] = same.length > 0 ? same : found;
    if (folder === undefined) throw new EngineError('not-found', notThere(name, above));
    if (others.length > 0)
      throw new EngineError(
        'bad-request',
        `Several folders are called '${name}': ${found.map(({ id }) => id).join(', ')}. Give one as --folder.`,
      );
    parentId = folder.id;
    above.push(folder.name);
  }
  return parentId;
}

/** @param above the folders down to where it was looked for */
function notThere(name: string, above: readonly string[]): string {
  const slash = `a '/' within a name is written '\\/'.`;
  if (above.length === 0)
    return `There is no folder '${name}' at the top. 'browse' without --path lists them; ${slash}`;
  const path = above.map((one) => one.replaceAll(/[\\/]/g, '\\$&')).join('/');
  return `'${above.join(' / ')}' has no folder '${name}'. 'browse --path ${path}' lists them; ${slash}`;
}

async function* foldersIn(catalog: RepositoryCatalog, object: string, revision: number, parentId: string | null) {
  let after: string | null = null;
  do {
    const query = {
      object,
      revision,
      parentId,
      kinds: [...CONTAINER_KINDS],
      sort: 'name',
      limit: ROWS_A_PAGE,
    } as const;
    const page: Awaited<ReturnType<RepositoryCatalog['browse']>> = await catalog.browse(
      after === null ? query : { ...query, after },
    );
    yield* page.rows;
    after = page.next;
  } while (after !== null);
}

function namesOf(path: string): string[] {
  const names = path.match(/(?:\\.|[^\\/])+/g) ?? [];
  return names.map((name) => name.replaceAll(/\\(.)/g, '$1').trim()).filter((name) => name !== '');
}

function folded(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
