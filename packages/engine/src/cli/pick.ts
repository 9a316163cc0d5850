import type { CatalogObject, ListedRestorePoint, RepositoryCatalog, RestorePointFilter } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { CommandOption } from './command-option.ts';
import type { Given } from './given.ts';
import { instantText } from './text/instant.ts';

/** Which restore point is meant. */
export const POINT_OPTIONS: Readonly<Record<string, CommandOption>> = {
  'restore-point': { type: 'string', help: 'id of a restore point, or `latest` (default)' },
  at: { type: 'string', help: 'instead: the last one up to this day or instant, such as 2026-11-20' },
};

/** Which state of which object is meant. */
export const PICK_OPTIONS: Readonly<Record<string, CommandOption>> = {
  ...POINT_OPTIONS,
  object: {
    type: 'string',
    help: 'key, id, address or name of a mailbox, drive, site or team, or with its kind: mailbox/ada@contoso.example',
  },
};

/** Of an empty catalog: the repository beside it may be full. */
export const NO_POINT =
  "The catalog has no restore point. 'backup' makes the first one. Of a repository that has some, --catch-up shows what another machine made, and after the database was lost 'rebuild' brings them back.";

const POINTS_A_PAGE = 200;
const NAMED_MAX = 10;

export type PickedPoint = Pick<ListedRestorePoint, 'run' | 'finishedAt'>;

/** Restore points, the newest first. A run that failed before its first object is none. */
export async function* restorePointsOf(
  catalog: RepositoryCatalog,
  filter: Omit<RestorePointFilter, 'limit' | 'offset'>,
): AsyncGenerator<ListedRestorePoint> {
  for (let offset = 0; ; offset += POINTS_A_PAGE) {
    const page = await catalog.listRestorePoints({ ...filter, limit: POINTS_A_PAGE, offset });
    yield* page;
    if (page.length < POINTS_A_PAGE) return;
  }
}

/**
 * The restore point that is given, or the newest; the newest with the object, if one is given.
 * @throws `not-found` with what to do
 */
export async function pickRestorePoint(catalog: RepositoryCatalog, given: Given): Promise<PickedPoint> {
  const requested = given.text('restore-point') ?? 'latest';
  const at = given.span('at');
  if (requested !== 'latest') {
    if (at !== undefined) throw new EngineError('bad-request', 'Give either --restore-point or --at.');
    const point = await catalog.restorePoint(requested);
    if (point !== null) return point;
    throw new EngineError('not-found', `There is no restore point '${requested}'. 'restore-points' lists them.`);
  }
  const object = await onlyKeyOf(catalog, given.text('object'));
  const filter = { ...(at === undefined ? {} : { to: at.to }), ...(object === null ? {} : { object }) };
  for await (const point of restorePointsOf(catalog, filter)) return point;
  throw await noPoint(catalog, at?.to);
}

async function noPoint(catalog: RepositoryCatalog, at: Date | undefined): Promise<EngineError> {
  let oldest: ListedRestorePoint | null = null;
  for await (const point of restorePointsOf(catalog, {})) oldest = point;
  if (oldest === null) return new EngineError('not-found', NO_POINT);
  const when = at === undefined ? '' : ` up to ${instantText(at)}`;
  const text = `There is no restore point${when}; the oldest is of ${instantText(oldest.finishedAt)}. 'restore-points' lists them.`;
  return new EngineError('not-found', text);
}

/** `null` when nothing or more than one thing is called so: then the restore point has to decide. */
async function onlyKeyOf(catalog: RepositoryCatalog, name: string | undefined): Promise<string | null> {
  if (name === undefined) return null;
  const found: CatalogObject[] = [];
  for await (const object of catalog.listObjects()) if (isCalled(object, name)) found.push(object);
  return found.length === 1 ? (found[0]?.key ?? null) : null;
}

/** The object that `--object` names, as it was at a restore point. @throws `bad-request` when the name fits several */
export async function pickObject(
  catalog: RepositoryCatalog,
  point: PickedPoint,
  given: Given,
): Promise<{ object: CatalogObject; revision: number }> {
  const name = given.required('object');
  const all = await catalog.restorePointObjects(point.run.id);
  const exact = all.filter(({ object }) => isExactly(object, name));
  const [found, ...others] = exact.length > 0 ? exact : all.filter(({ object }) => isCalled(object, name));
  if (found === undefined)
    throw new EngineError(
      'not-found',
      `The restore point of ${instantText(point.finishedAt)} has no object '${name}'. 'objects' lists what it has.`,
    );
  if (others.length === 0) return found;
  throw severalFit(
    name,
    [found, ...others].map(({ object }) => object),
  );
}

/** The only object of the catalog that is called so. @throws `not-found`; `bad-request` when the name fits several */
export async function onlyObjectCalled(catalog: RepositoryCatalog, name: string): Promise<CatalogObject> {
  const [exact, called]: [CatalogObject[], CatalogObject[]] = [[], []];
  for await (const object of catalog.listObjects()) {
    if (isExactly(object, name)) exact.push(object);
    if (isCalled(object, name)) called.push(object);
  }
  const [found, ...others] = exact.length > 0 ? exact : called;
  if (found === undefined)
    throw new EngineError('not-found', `No restore point has an object '${name}'. 'objects' lists what there is.`);
  if (others.length === 0) return found;
  throw severalFit(name, [found, ...others]);
}

function severalFit(name: string, found: readonly CatalogObject[]): EngineError {
  const keys = found.slice(0, NAMED_MAX).map(({ key, kind }) => `${key} (${kind})`);
  return new EngineError(
    'bad-request',
    `'${name}' fits several: ${keys.join(', ')}. Give the key, or the kind as well: ${found[0]?.kind}/${name}.`,
  );
}

/** By its key, or with its kind before one of its names. */
function isExactly(object: CatalogObject, called: string): boolean {
  return object.key === called || namesOf(object).some((name) => isSame(`${object.kind}/${name}`, called));
}

function isCalled(object: CatalogObject, called: string): boolean {
  return isExactly(object, called) || namesOf(object).some((name) => isSame(name, called));
}

const namesOf = ({ id, address, name }: CatalogObject) => [id, address, name].filter((one) => one !== null);

/** Composed and decomposed letters look alike, and keyboards give either. */
function isSame(one: string, other: string): boolean {
  const folded = (text: string) => text.normalize('NFC').toLowerCase();
  return folded(one) === folded(other);
}
