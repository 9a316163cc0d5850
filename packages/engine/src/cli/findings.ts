import type { DoubledRevision } from '../catalog/catalog.ts';
import type { Output } from './output.ts';

/** Reports revisions that two runs brought, neither knowing of the other. */
export function reportDoubledRevisions(doubled: readonly DoubledRevision[], output: Output): void {
  for (const { objectName, run, revision, storedAs } of doubled)
    output.problem(
      `Two runs wrote revision ${revision} of '${objectName}'; that of run ${run} is stored as revision ${storedAs}. The next backup reads the object again.`,
      { code: 'doubled-revision', run, revision, keptAs: storedAs },
    );
}
