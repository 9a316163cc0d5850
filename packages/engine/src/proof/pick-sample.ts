import type { CatalogObject, RepositoryCatalog } from '../catalog/catalog.ts';
import type { ItemKind, ItemVersion } from '../model/items.ts';

export interface SampleSize {
  items: number;
  /** Of all of them together, as they are stored. */
  bytes: number;
}

/** An item of an object as it was in the restore point. */
export interface SampledItem {
  object: CatalogObject;
  version: ItemVersion;
}

interface ObjectAt {
  object: CatalogObject;
  revision: number;
}

interface Candidate extends SampledItem {
  /** Random: the lowest are picked. */
  key: number;
}

/** Objects that are looked through: the catalog lists some ten thousand items a second, and others need it too. */
const OBJECTS_MAX = 40;

/**
 * Picks items at random: of each kind that is met one, the rest from all alike. Of a job with many objects some are looked through, at least one of each
 * kind of object. An item that is too large for what is left of the bytes gives way to another.
 */
export async function pickSample(
  catalog: Pick<RepositoryCatalog, 'walk'>,
  objects: readonly ObjectAt[],
  size: SampleSize,
  signal: AbortSignal,
): Promise<SampledItem[]> {
  const candidates = new Map<ItemKind, Candidate[]>();
  for (const { object, revision } of someOf(objects)) {
    for await (const version of catalog.walk(object.key, revision, null)) {
      signal.throwIfAborted();
      if (sizeOf(version) <= size.bytes) offer(candidates, { object, version, key: Math.random() }, size.items);
    }
  }
  return chosenOf([...candidates.values()], size);
}

/** First one object of each kind. */
function someOf(objects: readonly ObjectAt[]): ObjectAt[] {
  const shuffled = byKey(objects.map((at) => ({ at, key: Math.random() }))).map(({ at }) => at);
  const kinds = new Set(shuffled.map(({ object }) => object.kind));
  const firsts = [...kinds].flatMap((kind) => shuffled.find(({ object }) => object.kind === kind) ?? []);
  return [...new Set([...firsts, ...shuffled])].slice(0, OBJECTS_MAX);
}

/** Of each kind the lowest are enough, however many there are. */
function offer(candidates: Map<ItemKind, Candidate[]>, candidate: Candidate, most: number): void {
  const ofKind = candidates.get(candidate.version.kind) ?? [];
  candidates.set(candidate.version.kind, ofKind);
  const last = ofKind.at(-1);
  if (last !== undefined && ofKind.length >= most && last.key <= candidate.key) return;
  if (ofKind.length >= most) ofKind.pop();
  const at = ofKind.findIndex(({ key }) => key > candidate.key);
  ofKind.splice(at === -1 ? ofKind.length : at, 0, candidate);
}

function chosenOf(kinds: readonly (readonly Candidate[])[], { items, bytes }: SampleSize): SampledItem[] {
  const chosen = new Set<Candidate>();
  let left = bytes;
  const choose = (found: Candidate | undefined) => {
    if (found === undefined) return;
    chosen.add(found);
    left -= sizeOf(found.version);
  };
  const fits = (one: Candidate) => sizeOf(one.version) <= left && !chosen.has(one);
  for (const ofKind of kinds) choose(ofKind.find(fits));
  for (const one of byKey(kinds.flat())) if (chosen.size < items && fits(one)) choose(one);
  return [...chosen];
}

const byKey = <T extends { key: number }>(values: readonly T[]): T[] => [...values].sort((a, b) => a.key - b.key);

/** All that a restore of it reads: of a file its earlier versions too. */
const sizeOf = ({ contents }: ItemVersion) => contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
