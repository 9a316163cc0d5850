import { EngineError } from '../../model/engine-error.ts';
import { laterOf } from '../../model/later-of.ts';
import { listedUntil } from '../../model/stoppable.ts';
import type { ObjectFacts, ObjectStore } from '../../store/object-store.ts';
import { RetainedError } from '../../store/retained-error.ts';
import { COMMIT_NAME, SEGMENT_NAME } from '../object-names.ts';
import type { ReplacedCommits } from '../repository.ts';

/** The name of a commit; its first form has no number. */
export function commitName(run: string, sequence: number, form = 0): string {
  const first = `journals/${run}/${String(sequence).padStart(8, '0')}`;
  return form === 0 ? first : `${first}-${String(form).padStart(4, '0')}`;
}

/** The forms of a commit that are in the store, the first one first. */
export async function formsOf(store: ObjectStore, run: string, sequence: number): Promise<number[]> {
  const forms: number[] = [];
  for await (const { name } of store.list(commitName(run, sequence))) {
    const [, , , form = '0'] = COMMIT_NAME.exec(name) ?? [];
    if (name === commitName(run, sequence, Number(form))) forms.push(Number(form));
  }
  return forms;
}

/** Objects without those of commits that a later form has replaced: they count for nothing. */
export async function* withoutReplaced(objects: AsyncIterable<ObjectFacts>): AsyncGenerator<ObjectFacts> {
  let before: ObjectFacts | null = null;
  for await (const object of objects) {
    if (before !== null && !isReplacedBy(before.name, object.name)) yield before;
    before = object;
  }
  if (before !== null) yield before;
}

/** Deletes forms of commits, and of segments of them, that a later one has replaced. */
export async function deleteReplaced(store: ObjectStore, signal?: AbortSignal): Promise<ReplacedCommits> {
  const replaced: ReplacedCommits = { deleted: 0, locked: 0, lockedUntil: null };
  let before = '';
  for (const folder of ['journals/', 'segments/']) {
    const objects = store.list(folder);
    for await (const { name } of signal === undefined ? objects : listedUntil(objects, signal)) {
      if (isReplacedBy(before, name)) {
        const until = await deleteUnlocked(store, before);
        if (until === null) replaced.deleted += 1;
        else replaced.locked += 1;
        replaced.lockedUntil = laterOf(replaced.lockedUntil, until);
      }
      before = name;
    }
  }
  return replaced;
}

/** @returns until when it cannot be deleted; `null`: it is gone */
export async function deleteUnlocked(store: ObjectStore, name: string): Promise<Date | null> {
  try {
    await store.delete(name);
    return null;
  } catch (error) {
    if (error instanceof RetainedError) return error.until;
    throw error;
  }
}

/** Whether the next name of a list is a later form of the same commit, or of the same segment. A list may repeat a name, and lose its order. */
function isReplacedBy(name: string, next: string): boolean {
  const of = (pattern: RegExp) => {
    const [one, other] = [pattern.exec(name), pattern.exec(next)];
    const isSame = one !== null && one[1] === other?.[1] && one[2] === other?.[2];
    return isSame && Number(one[3] ?? 0) < Number(other?.[3] ?? 0);
  };
  return of(COMMIT_NAME) || of(SEGMENT_NAME);
}

/** What another process left under way came to be the next form meanwhile. Who starts again reads that one first. */
export function writtenByAnother(what: string): EngineError {
  return new EngineError('locked', `The ${what} was written again by another process. Start again.`, {
    isRetryable: true,
  });
}
