import { EngineError } from '../model/engine-error.ts';
import { NameTakenError, type Written } from '../source/target.ts';
import type { Claims } from './claims.ts';
import { type Decision, decideByLooking } from './decision.ts';
import type { ItemOutcome } from './item-outcome.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { RestoreJournal } from './restore-journal.ts';
import type { RestoreOptions } from './restore-options.ts';
import type { FoundInPlace, RestoreItem, RestorePlace } from './restore-place.ts';

export interface RestoreWork {
  place: RestorePlace;
  journal: RestoreJournal;
  options: RestoreOptions;
  claims: Claims;
  turns: OneAtATime;
  /** Aborted: nothing more is begun. What was left half-written is there for the next attempt to find, and stands for no other item. */
  signal: AbortSignal;
}

export type WrittenOutcome = Pick<ItemOutcome, 'outcome' | 'reason' | 'targetId' | 'claimedId' | 'bytes' | 'losses'>;

/** A request whose answer was lost may have been carried out: it is looked for, taken away and made anew. */
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

/** Whoever makes an item of that name while it is being restored is not written over: what was decided is decided anew. */
async function untilFree(work: RestoreWork, item: RestoreItem, parent: string): Promise<WrittenOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTurn(work, item, parent, attempt === 1);
    } catch (error) {
      if (!(error instanceof NameTakenError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** @param trustsNew whether a container that this restore made holds nothing of others */
async function inTurn(
  work: RestoreWork,
  item: RestoreItem,
  parent: string,
  trustsNew: boolean,
): Promise<WrittenOutcome> {
  const { place, claims } = work;
  const there = trustsNew && place.isNew(parent) ? [] : await place.find(parent, item);
  // What stands for other items was there before as well: it is known also where the journal does not tell of them yet.
  const before = there.map(({ id }) => id);
  const { claimed, decision } = await decideByLooking(work, item, parent, there);
  try {
    const outcome = await act(work, item, parent, decision, before);
    return claimed === null ? outcome : { ...outcome, claimedId: claimed.id };
  } catch (error) {
    if (error instanceof NameTakenError && claimed !== null) claims.release(claimed.id);
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
  const { place, journal, claims } = work;
  if (decision.action === 'create' || place.replacesAnew) await journal.begin(item.version.id, before);
  if (decision.action === 'create')
    return written('restored', item, await create(work, item, parent, decision, before));
  const made = await place.replace(decision.found, parent, item);
  claims.add(made.id);
  return written('replaced', item, made);
}

/** What an attempt that did not come to its end left of an item, whole or not: all that is found beside what was there before and stands for nothing else. */
export async function leftoversOf(
  { place, claims }: Pick<RestoreWork, 'place' | 'claims'>,
  item: RestoreItem,
  parent: string,
  before: readonly string[],
): Promise<FoundInPlace[]> {
  const known = new Set(before);
  return (await place.find(parent, item)).filter(({ id }) => !claims.has(id) && !known.has(id));
}

async function create(
  work: RestoreWork,
  item: RestoreItem,
  parent: string,
  { as }: Extract<Decision, { action: 'create' }>,
  before: readonly string[],
): Promise<Written> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const made = await work.place.create(parent, item, as);
      work.claims.add(made.id);
      return made;
    } catch (error) {
      const isUnanswered = error instanceof EngineError && error.code === 'source-unreachable';
      if (!isUnanswered || attempt === ATTEMPTS) throw error;
      for (const found of await leftoversOf(work, item, parent, before)) await work.place.remove(found, parent, item);
    }
  }
}

function written(outcome: 'restored' | 'replaced', item: RestoreItem, { id, losses }: Written): WrittenOutcome {
  return { outcome, targetId: id, losses, bytes: item.contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}
