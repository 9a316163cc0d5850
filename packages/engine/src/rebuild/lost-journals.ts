import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { AcceptedLosses } from '../model/accepted-losses.ts';
import { counted } from '../model/counted.ts';
import type { Repository } from '../repository/repository.ts';

import { allRuns } from './all-runs.ts';

/** A run whose journal is not whole, and what is wrong with it. */
export interface JournalFault {
  run: string;
  fault: string;
  lost: Loss;
}

/** Commits of the run, or a revision that it builds on. */
export type Loss = { from: number; to: number } | { object: string; revision: number };

/**
 * Commits that the catalog has applied, or whose successors are there, and that are no longer in the store. For them the catalog is the
 * only one that knows what they said. Lists names, and reads nothing. What was accepted as lost is not among them.
 */
export async function lostJournals(
  repository: Repository,
  catalog: RepositoryCatalog,
  accepted: AcceptedLosses,
): Promise<JournalFault[]> {
  // Before the store is listed: what is committed meanwhile is in the store already when the catalog hears of it.
  const known = new Map(await catalog.lastCommits());
  const faults: JournalFault[] = [];
  for await (const { run, commits, isWhole } of allRuns(repository)) {
    const applied = known.get(run) ?? 0;
    known.delete(run);
    if (!isWhole) faults.push(...(await missingCommits(repository, run, commits)));
    if (applied > commits) {
      const fault = `of ${counted(applied, 'commit')} the last ${applied - commits} are not in the store`;
      faults.push({ run, fault, lost: { from: commits + 1, to: applied } });
    }
  }
  for (const [run, applied] of known) {
    const fault =
      applied === 1 ? 'its only commit is not in the store' : `none of its ${applied} commits is in the store`;
    faults.push({ run, fault, lost: { from: 1, to: applied } });
  }
  return faults.filter((fault) => !isAccepted(fault, accepted));
}

export function isAccepted({ run, lost }: JournalFault, accepted: AcceptedLosses): boolean {
  if ('object' in lost) return accepted.lostRevision(lost.object, lost.revision) !== null;
  return accepted.hasCommits(run, lost.from, lost.to);
}

async function missingCommits(repository: Repository, run: string, commits: number): Promise<JournalFault[]> {
  const missing: JournalFault[] = [];
  for (let sequence = 1; sequence < commits; sequence += 1) {
    if (await repository.hasCommit(run, sequence)) continue;
    missing.push({ run, fault: missingText(sequence, commits), lost: { from: sequence, to: sequence } });
  }
  return missing;
}

export const missingText = (sequence: number, listed: number) =>
  `commit ${sequence} is missing, although commit ${listed} is there`;
