import type { ObjectSection } from '../repository/commit.ts';

interface WaitingCommit {
  commit: { run: string; sections: readonly Pick<ObjectSection, 'key' | 'revision'>[] };
}

/**
 * The revision without which the earliest run goes on; of those first that no waiting commit brings, and that follow no other that is missing. Ids begin
 * with the time of a clock that may be wrong: alone they would pass over what only waits itself.
 */
export function firstMissing(waiting: ReadonlyMap<string, readonly WaitingCommit[]>): string {
  const brought = new Set<string>();
  for (const { commit } of [...waiting.values()].flat())
    for (const { key, revision } of commit.sections) brought.add(`${key} ${revision}`);
  const lowest = new Map<string, number>();
  for (const [key = '', revision] of [...waiting.keys()].map((missing) => missing.split(' ')))
    lowest.set(key, Math.min(Number(revision), lowest.get(key) ?? Number.POSITIVE_INFINITY));
  const isFirst = (missing: string) => {
    const [key = '', revision] = missing.split(' ');
    return !brought.has(missing) && lowest.get(key) === Number(revision);
  };
  const rank = ([missing, [first]]: [string, readonly WaitingCommit[]]) =>
    `${isFirst(missing) ? 0 : 1} ${first?.commit.run ?? ''}`;
  const [first] = [...waiting].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  return first?.[0] ?? '';
}
