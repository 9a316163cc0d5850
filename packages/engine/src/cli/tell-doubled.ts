import type { DoubledRevision } from '../catalog/catalog.ts';
import type { Output } from './output.ts';

/** Tells of revisions that two runs have brought, neither knowing of the other. */
export function tellDoubled(doubled: readonly DoubledRevision[], output: Output): void {
  for (const { objectName, run, revision, keptAs } of doubled)
    output.problem(
      `Revision ${revision} of '${objectName}' was brought by two runs; that of run ${run} is kept as revision ${keptAs}. The next backup reads the object anew.`,
      { code: 'doubled-revision', run, revision, keptAs },
    );
}
