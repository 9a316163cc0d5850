import type { CatalogObject, RepositoryCatalog, RestorePoint } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { CommandOption, Given } from './command.ts';

/** Which state of which object is meant. */
export const PICK_OPTIONS: Readonly<Record<string, CommandOption>> = {
  'restore-point': { type: 'string', help: 'id of a restore point, or `latest` (default)' },
  object: { type: 'string', help: 'key, id, address or name of a mailbox, drive, site or team' },
};

/** @throws `not-found` with what to do */
export async function pickRestorePoint(catalog: RepositoryCatalog, given: Given): Promise<RestorePoint> {
  const wanted = given.text('restore-point') ?? 'latest';
  const [latest] = wanted === 'latest' ? await catalog.listRestorePoints({ limit: 1, offset: 0 }) : [];
  const point = latest ?? (await catalog.restorePoint(wanted));
  if (point !== null) return point;
  const text =
    wanted === 'latest'
      ? 'There is no restore point yet: run a backup.'
      : `There is no restore point ${wanted}. \`restore-points\` lists them.`;
  throw new EngineError('not-found', text);
}

/** The object that `--object` names, as it was at a restore point. @throws `bad-request` when the name fits several */
export async function pickObject(
  catalog: RepositoryCatalog,
  point: RestorePoint,
  given: Given,
): Promise<{ object: CatalogObject; revision: number }> {
  const wanted = given.required('object').toLowerCase();
  const all = await catalog.restorePointObjects(point.run.id);
  const exact = all.filter(
    ({ object }) => object.key.toLowerCase() === wanted || `${object.kind}/${object.id}`.toLowerCase() === wanted,
  );
  const named = all.filter(({ object }) =>
    [object.id, object.address, object.name].some((name) => name?.toLowerCase() === wanted),
  );
  const [found, ...others] = exact.length > 0 ? exact : named;
  if (found === undefined)
    throw new EngineError('not-found', `The restore point has no '${wanted}'. \`objects\` lists what it has.`);
  if (others.length === 0) return found;
  const keys = [found, ...others].map(({ object }) => `${object.key} (${object.kind})`).join(', ');
  throw new EngineError('bad-request', `'${wanted}' fits several: ${keys}. Give the key.`);
}
