import { groupsOf, isGone } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import type { Container } from '../reading-failures.ts';
import { type DeltaScope, type DeltaStep, emptied } from './delta.ts';

/** As many of a page as are read together: whether to go on is asked between them. */
const GROUP = 20;

/**
 * Gives the steps of a container's delta up to where it fails. The failure is reported, and the next run goes on from the cursor. A container
 * that no longer exists is empty.
 * @throws what concerns the whole object
 */
export async function* readUntilContainerFails(
  { failures }: Reading,
  delta: DeltaScope,
  container: Container,
  steps: AsyncIterable<DeltaStep> | Iterable<DeltaStep>,
): AsyncGenerator<DeltaStep> {
  try {
    for await (const step of inGroups(steps)) {
      const why = failures.whyGivenUp(container);
      if (why !== null) {
        yield await failures.containerFailed(container, why);
        return;
      }
      yield step;
    }
  } catch (error) {
    if (isGone(error) && (await failures.isContainerGone(container))) yield* emptied(delta);
    else yield await failures.containerFailed(container, error);
  }
}

async function* inGroups(steps: AsyncIterable<DeltaStep> | Iterable<DeltaStep>): AsyncGenerator<DeltaStep> {
  for await (const step of steps) {
    if (step.type !== 'page' || step.values.length <= GROUP) yield step;
    else for (const values of groupsOf(step.values, GROUP)) yield { ...step, values };
  }
}
