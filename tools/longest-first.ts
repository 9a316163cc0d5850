import { relative } from 'node:path';
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * The order of a step's files: those named here first, in this order, then the others as Vitest has them, by size on a fresh clone. A file of
 * a minute that a worker begins last keeps the other worker waiting. Which files take longest is said at the end of `npm test`.
 */
export function longestFirst(root: string, files: readonly string[]): TestSequencerConstructor {
  const place = ({ moduleId }: TestSpecification) => {
    const at = files.indexOf(relative(root, moduleId).replaceAll('\\', '/'));
    return at === -1 ? files.length : at;
  };
  return class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(specifications)).sort((one, other) => place(one) - place(other));
    }
  };
}
