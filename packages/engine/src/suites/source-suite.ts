import { afterEach, describe, expect, it } from 'vitest';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { Source } from '../source/source.ts';
import { Replica } from '../testing/replica.ts';

/** One object of a source that a test can change from outside. */
export interface SourceWorld {
  source: Source;
  object: ProtectedObject;
  /** Adds, changes, renames, moves and removes items and containers: some of each. */
  change(): Promise<void>;
  /** Makes the source lose the places that its cursors name, once each. */
  losePlaces(): void;
  close(): Promise<void>;
}

/** Opens worlds for tests, and closes them after each. */
function worldsOf(open: () => Promise<SourceWorld>): () => Promise<SourceWorld> {
  const worlds: SourceWorld[] = [];
  afterEach(async () => {
    for (const opened of worlds.splice(0)) await opened.close();
  });
  return async () => {
    const opened = await open();
    worlds.push(opened);
    return opened;
  };
}

/** What every source must hold, by the letter of its port. @param open makes a world of its own for one test */
export function sourceSuite(name: string, open: () => Promise<SourceWorld>): void {
  describe(name, () => {
    const world = worldsOf(open);

    it('reports every container before what is in it', async () => {
      const { source, object } = await world();
      const replica = new Replica(source, object);
      await replica.read();
      const reported = new Set<string>();
      const ids = new Set(replica.items.keys());
      for (const event of replica.events) {
        if (event.type !== 'item') continue;
        const { id, parentId } = event.item;
        if (parentId !== null && ids.has(parentId)) expect(reported).toContain(parentId);
        reported.add(id);
      }
      expect(reported.size).toBeGreaterThan(0);
    });

    it('reports nothing new and nothing removed when nothing changed', async () => {
      const { source, object } = await world();
      const replica = new Replica(source, object);
      await replica.read();
      const before = replica.state();
      await replica.read();
      expect(replica.state()).toEqual(before);
      expect(replica.events.filter(({ type }) => type === 'removed' || type === 'lost')).toEqual([]);
    });

    it('comes to the same state however often a reading breaks off', async () => {
      const { source, object } = await world();
      const broken = new Replica(source, object);
      let eventsMax = 60;
      while (!(await broken.read(eventsMax))) eventsMax += 10;
      const whole = new Replica(source, object);
      await whole.read();
      expect(broken.state()).toEqual(whole.state());
    });

    it('comes to the state of a first reading after changes, moves and removals', async () => {
      const { source, object, change } = await world();
      const replica = new Replica(source, object);
      await replica.read();
      await change();
      await replica.read();
      const fresh = new Replica(source, object);
      await fresh.read();
      expect(replica.state()).toEqual(fresh.state());
    });

    it('finds what was removed after it lost its place, also when it breaks off on the way', async () => {
      const { source, object, change, losePlaces } = await world();
      const replica = new Replica(source, object);
      await replica.read();
      await change();
      losePlaces();
      await replica.read(30);
      while (!(await replica.read()));
      const fresh = new Replica(source, object);
      await fresh.read();
      expect(replica.state()).toEqual(fresh.state());
    });
  });
}
