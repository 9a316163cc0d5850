import type { CommitRange } from '../model/accepted-losses.ts';
import { orDamaged } from '../model/or-damaged.ts';
import type { Commit } from '../repository/commit.ts';
import type { ListedRun, Repository } from '../repository/repository.ts';

/** The sequence of the last commit of a run, and which of those before it are missing. */
export interface JournalGaps {
  commits: number;
  missing: readonly CommitRange[];
}

/** What the names of a journal say. Another program may have left any number among them, and what comes behind the end of a run is not of the run. */
export async function journalGaps(repository: Repository, { run, commits, isWhole }: ListedRun): Promise<JournalGaps> {
  if (isWhole) return { commits, missing: [] };
  const missing = await repository.missingCommits(run, commits);
  const before = (missing[0]?.[0] ?? 1) - 1;
  const last = before > 0 ? await orDamaged(repository.findCommit(run, before)) : null;
  return last !== null && endsRun(last) ? { commits: before, missing: [] } : { commits, missing };
}

/** The sequences of the commits of a run; of a gap the first one alone. */
export async function sequencesOf(repository: Repository, listed: ListedRun): Promise<Iterable<number>> {
  const { commits, missing } = await journalGaps(repository, listed);
  return over(commits, missing);
}

function* over(commits: number, missing: readonly CommitRange[]): Generator<number> {
  let sequence = 1;
  for (const [from, to] of missing) {
    for (; sequence <= from; sequence += 1) yield sequence;
    sequence = to + 1;
  }
  for (; sequence <= commits; sequence += 1) yield sequence;
}

/** Whether a commit is the last one of its run. */
export const endsRun = ({ end, closedBy }: Commit): boolean => end !== null || closedBy !== null;
