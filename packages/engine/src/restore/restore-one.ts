import { EngineError } from '../model/engine-error.ts';
import { NameInUseError, type Written } from '../source/target.ts';
import type { Claims } from './claims.ts';
import { type Decision, decideByLooking } from './decision.ts';
import type { ItemOutcome } from './item-outcome.ts';
import type { FindNamesakes } from './namesakes.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { RestoreJournal } from './restore-journal.ts';
import type { RestoreOptions } from './restore-options.ts';
import type { FoundInPlace, RestoreItem, RestorePlace } from './restore-place.ts';

export interface RestoreWork {
  place: RestorePlace;
  journal: RestoreJournal;
  options: RestoreOptions;
  claims: Claims;
  namesakes: FindNamesakes;
  turns: OneAtATime;
  /** Aborted: nothing more is begun. What was left half-written is there for the next attempt to find, and matches no other item. */
  signal: AbortSignal;
}

export type WrittenOutcome = Pick<ItemOutcome, 'outcome' | 'reason' | 'targetId' | 'claimedId' | 'bytes' | 'losses'>;

/** At writing an item while the target answers nothing to it. */
const ATTEMPTS = 3;

/** Puts one item where it belongs: finds what is there, decides, acts. */
export async function restoreOne(work: RestoreWork, item: RestoreItem): Promise<WrittenOutcome> {
  const { place, turns } = work;
  const parent = await place.parentOf(item.version, true);
  if (parent === null) throw new EngineError('not-found', `The folder of '${item.version.name}' could not be made.`);
  // Equal items find each other: were two of them looked for at once, both would be made, or one left out.
  return turns.run(`${parent} ${place.identityOf(item)}`, async () => {
    work.signal.throwIfAborted();
    return untilFree(work, item, parent);
  });
}

/** An item of that name that is made during the restore is not written over: the decision is made again. */
async function untilFree(work: RestoreWork, item: RestoreItem, parent: string): Promise<WrittenOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTurn(work, item, parent, attempt === 1);
    } catch (error) {
      if (!(error instanceof NameInUseError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** @param trustsNew whether a container that this restore made contains nothing of others */
async function inTurn(
  work: RestoreWork,
  item: RestoreItem,
  parent: string,
  trustsNew: boolean,
): Promise<WrittenOutcome> {
  const { place, claims } = work;
  const there = trustsNew && place.isNew(parent) ? [] : await place.find(parent, item);
  // What matches other items was there before as well: it is known also where the journal does not name it yet.
  const before = there.map(({ id }) => id);
  const { claimed, decision } = await decideByLooking(work, item, parent, there);
  try {
    const outcome = await act(work, item, parent, decision, before);
    return claimed === null ? outcome : { ...outcome, claimedId: claimed.id };
  } catch (error) {
    if (error instanceof NameInUseError && claimed !== null) claims.release(claimed.id);
    throw error;
  }
}

async function act(
  work: RestoreWork,
  item: RestoreItem,
  parent: string,
  decision: Decision,
  before: readonly string[],
): Promise<WrittenOutcome> {
  if (decision.action === 'skip') return { outcome: 'skipped', reason: decision.reason, bytes: 0, losses: [] };
  const { place, journal } = work;
  if (decision.action === 'create' || place.replacesByCreating) await journal.begin(item.version.id, before);
  if (decision.action === 'create') {
    const create = () => place.create(parent, item, decision.as);
    return written('restored', item, await untilAnswered(work, item, parent, before, null, create));
  }
  const { found } = decision;
  const replace = () => place.replace(found, parent, item);
  return written('replaced', item, await untilAnswered(work, item, parent, before, found.id, replace));
}

/** Items created by an unfinished attempt: matches that neither existed before it nor are claimed by another stored item. */
export async function leftoversOf(
  work: Pick<RestoreWork, 'place' | 'claims'>,
  item: RestoreItem,
  parent: string,
  before: readonly string[],
): Promise<FoundInPlace[]> {
  return leftovers(work, await work.place.find(parent, item), before);
}

function leftovers(
  { claims }: Pick<RestoreWork, 'claims'>,
  found: readonly FoundInPlace[],
  before: readonly string[],
): FoundInPlace[] {
  return found.filter(({ id }) => !claims.has(id) && !before.includes(id));
}

/**
 * Writes until there is an answer. A request whose answer was lost may have been carried out: what it left is removed before the next attempt.
 * Where the target answers the search for it, the item itself is what is not accepted, and it alone fails; where not, the search fails as all else would.
 * @param replaced the item that is there, which must still be there for another attempt
 */
async function untilAnswered(
  work: RestoreWork,
  item: RestoreItem,
  parent: string,
  before: readonly string[],
  replaced: string | null,
  write: () => Promise<Written>,
): Promise<Written> {
  const claim = (made: Written) => {
    work.claims.add(made.id);
    return made;
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return claim(await write());
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'source-unreachable') throw error;
      const there = await work.place.find(parent, item);
      if (replaced !== null && !there.some(({ id }) => id === replaced)) throw notAccepted(attempt, error);
      for (const left of leftovers(work, there, before)) {
        if (await work.place.isMade?.(left, parent, item)) return claim({ id: left.id, losses: [] });
        await work.place.remove(left, parent, item);
      }
      if (attempt === ATTEMPTS) throw notAccepted(attempt, error);
    }
  }
}

function notAccepted(attempts: number, error: EngineError): EngineError {
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return new EngineError(
    'source-refused',
    `It was not accepted in ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}, while other requests were answered: ${reason}. Export it, or begin the same restore again to try it once more.`,
    { cause: error },
  );
}

function written(outcome: 'restored' | 'replaced', item: RestoreItem, { id, losses }: Written): WrittenOutcome {
  return { outcome, targetId: id, losses, bytes: item.contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}
