import type { ObjectSection } from '../repository/commit.ts';

interface WaitingCommit {
  commit: { run: string; sections: readonly Pick<ObjectSection, 'key' | 'revision'>[] };
}

/**
 * The revision without which the earliest run goes on; of those first that no waiting commit brings, and that follow no other that is missing. Ids begin
 * with the time of a clock that may be wrong: alone they would pass over what only waits itself.
 */
export function firstMissing(waiting: ReadonlyMap<string, readonly WaitingCommit[]>): string {
  const [brought, lowest] = [revisionsBroughtBy(waiting), lowestOf(waiting.keys())];
  let first = { missing: '', isLost: false, run: '' };
  for (const [missing, [one]] of waiting) {
    const { key, revision } = partsOf(missing);
    const found = {
      missing,
      isLost: !brought.has(missing) && lowest.get(key) === revision,
      run: one?.commit.run ?? '',
    };
    if (first.missing === '' || isBefore(found, first)) first = found;
  }
  return first.missing;
}

type Found = { isLost: boolean; run: string };

const isBefore = (one: Found, other: Found) => (one.isLost === other.isLost ? one.run < other.run : one.isLost);

function revisionsBroughtBy(waiting: ReadonlyMap<string, readonly WaitingCommit[]>): ReadonlySet<string> {
  const brought = new Set<string>();
  for (const commits of waiting.values())
    for (const { commit } of commits)
      for (const { key, revision } of commit.sections) brought.add(`${key} ${revision}`);
  return brought;
}

function lowestOf(missing: Iterable<string>): ReadonlyMap<string, number> {
  const lowest = new Map<string, number>();
  for (const { key, revision } of [...missing].map(partsOf))
    lowest.set(key, Math.min(revision, lowest.get(key) ?? Number.POSITIVE_INFINITY));
  return lowest;
}

/** The object and the revision that a key of what waits names. */
export function partsOf(missing: string): { key: string; revision: number } {
  const [key = '', revision] = missing.split(' ');
  return { key, revision: Number(revision) };
}
