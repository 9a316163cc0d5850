import { describe, expect, it } from 'vitest';
import { type Claimant, type PlaceLimits, Places } from './places.ts';

const LIMITS = { total: 4, ofGroup: 3, ofOne: 2, waitingOfOne: 3, waiting: 8, waitMs: 60_000 } satisfies PlaceLimits;
const NEVER = new AbortController().signal;
const ANN = { group: 'north', one: 'ann' };
const BOB = { group: 'north', one: 'bob' };
const EVE = { group: 'south', one: 'eve' };

/** Asks for a place under a name; `log` gets the name when it is given. */
function claimer(places: Places) {
  const log: string[] = [];
  const leaves = new Map<string, () => void>();
  const claim = (name: string, who: Claimant, gone = NEVER) =>
    places.enter(who, gone).then(
      (leave) => {
        log.push(name);
        leaves.set(name, leave);
      },
      (refusal) => log.push(`${name}: ${refusal.status}`),
    );
  const leave = async (name: string) => {
    leaves.get(name)?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { log, claim, leave };
}

describe('places', () => {
  it('give one caller and one group a share, and others the rest at once', async () => {
    const { log, claim } = claimer(new Places(LIMITS));
    for (const name of ['ann 1', 'ann 2', 'ann 3']) void claim(name, ANN);
    for (const name of ['bob 1', 'bob 2']) void claim(name, BOB);
    await claim('eve 1', EVE);
    expect(log).toEqual(['ann 1', 'ann 2', 'bob 1', 'eve 1']);
  });

  it('go, when they become free, to the group and to the caller that have the fewest, then to who waits longest', async () => {
    const { log, claim, leave } = claimer(new Places(LIMITS));
    for (const name of ['ann 1', 'ann 2', 'ann 3', 'ann 4']) void claim(name, ANN);
    for (const name of ['bob 1', 'bob 2']) void claim(name, BOB);
    await claim('eve 1', EVE);
    void claim('eve 2', EVE);
    log.length = 0;
    await leave('ann 1');
    await leave('bob 1');
    await leave('ann 2');
    await leave('eve 1');
    expect(log).toEqual(['eve 2', 'bob 2', 'ann 3', 'ann 4']);
  });

  it('are refused with 503 when too many of one, or of all, wait', async () => {
    const { log, claim } = claimer(new Places(LIMITS));
    await Promise.race([
      Promise.all(Array.from({ length: 6 }, (_, n) => claim(`ann ${n + 1}`, ANN))),
      claim('last', ANN),
    ]);
    expect(log).toContain('ann 6: 503');
    expect(log).not.toContain('ann 5: 503');
  });

  it('are refused with 503 and a time to try again when none becomes free in time', async () => {
    const places = new Places({ ...LIMITS, waitMs: 1 });
    await places.enter(ANN, NEVER);
    await places.enter(ANN, NEVER);
    await expect(places.enter(ANN, NEVER)).rejects.toMatchObject({ status: 503, code: 'BUSY', retryAfterSeconds: 5 });
  });

  it('are waited for no longer by a caller that went away', async () => {
    const { log, claim, leave } = claimer(new Places(LIMITS));
    const gone = new AbortController();
    for (const name of ['ann 1', 'ann 2']) await claim(name, ANN);
    const waiting = claim('ann 3', ANN, gone.signal);
    void claim('ann 4', ANN);
    gone.abort();
    await waiting;
    await leave('ann 1');
    await claim('ann 5', ANN, gone.signal);
    expect(log).toEqual(['ann 1', 'ann 2', 'ann 3: 499', 'ann 4', 'ann 5: 499']);
  });

  it('are left once, however often it is said', async () => {
    const places = new Places({ ...LIMITS, total: 1 });
    const leave = await places.enter(ANN, NEVER);
    leave();
    leave();
    await places.enter(BOB, NEVER);
    const waiting = places.enter(EVE, AbortSignal.timeout(1));
    await expect(waiting).rejects.toMatchObject({ status: 499 });
  });
});
