import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { AcceptedLosses, RevisionRange } from '../model/accepted-losses.ts';
import { counted } from '../model/counted.ts';
import type { Repository } from '../repository/repository.ts';
import { allRuns } from './all-runs.ts';
import { journalGaps } from './journal-gaps.ts';

/** A run whose journal is not whole, and what is wrong with it. */
export interface JournalFault {
  run: string;
  fault: string;
  lost: Loss;
}

/** Commits of the run, or revisions that it builds on. */
export type Loss = { from: number; to: number } | RevisionRange;

/**
 * Commits that the catalog has applied, or whose successors are there, and that are no longer in the store. For them the catalog is the
 * only one that knows what they said. Lists names, and asks for what is missing among them, as a list may be late. What was accepted as lost is not
 * among them.
 */
export async function lostJournals(
  repository: Repository,
  catalog: RepositoryCatalog,
  accepted: AcceptedLosses,
): Promise<JournalFault[]> {
  // Before the store is listed: what is committed meanwhile is in the store already when the catalog hears of it.
  const known = new Map(await catalog.lastCommits());
  const faults: JournalFault[] = [];
  for await (const listed of allRuns(repository)) {
    const { run } = listed;
    const { commits, missing } = await journalGaps(repository, listed);
    const applied = known.get(run) ?? 0;
    known.delete(run);
    for (const [from, to] of missing) faults.push({ run, fault: missingText(from, to, commits), lost: { from, to } });
    if (applied > commits && !(await repository.hasCommit(run, applied))) {
      const fault = `of ${counted(applied, 'commit')} the last ${applied - commits} are not in the store`;
      faults.push({ run, fault, lost: { from: commits + 1, to: applied } });
    }
  }
  for (const [run, applied] of known) {
    if (await repository.hasCommit(run, applied)) continue;
    const fault =
      applied === 1 ? 'its only commit is not in the store' : `none of its ${applied} commits is in the store`;
    faults.push({ run, fault, lost: { from: 1, to: applied } });
  }
  return faults.filter((fault) => !isAccepted(fault, accepted));
}

export function isAccepted({ run, lost }: JournalFault, accepted: AcceptedLosses): boolean {
  if ('object' in lost) return accepted.lostRevision(lost) !== null;
  return accepted.hasCommits(run, lost.from, lost.to);
}

export const missingText = (from: number, to: number, listed: number) =>
  `${from === to ? `commit ${from} is` : `commits ${from} to ${to} are`} missing, although commit ${listed} is there`;
