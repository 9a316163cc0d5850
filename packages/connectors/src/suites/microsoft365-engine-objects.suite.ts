import { expect, it } from 'vitest';
import {
  DIRECTORY_KINDS,
  type DirectoryKind,
  type DirectoryObject,
  type Microsoft365Engine,
  Missing,
  type ObjectQuery,
} from '../ports/microsoft365-engine.ts';

/** What every engine of Microsoft 365 promises of users, groups, teams and sites. */
export function describeObjects(engineOf: () => Pick<Microsoft365Engine<never>, 'listObjects'>): void {
  const { signal } = new AbortController();

  const objectsOf = async (query: Partial<ObjectQuery> & { kind: DirectoryKind }, limit = 3) => {
    const found: DirectoryObject[] = [];
    for (;;) {
      const range = { limit, offset: found.length };
      const every = { search: '', parentId: null, withPersonalSites: true };
      const page = await engineOf().listObjects({ ...every, ...range, ...query }, signal);
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      found.push(...page.rows);
      expect(page.count).toBeGreaterThanOrEqual(found.length);
      if (page.isWhole && found.length === page.count) return found;
    }
  };

  it.each(DIRECTORY_KINDS)(
    'lists what can be chosen in pages, each once, and by a part of its name: %s',
    async (kind) => {
      const found = await objectsOf({ kind });
      const ids = found.map(({ id }) => id);
      expect(found.length).toBeGreaterThan(0);
      expect(new Set(ids).size).toBe(ids.length);
      expect(found.every((one) => one.kind === kind && one.name !== '')).toBe(true);
      expect((await objectsOf({ kind }, 1_000)).map(({ id }) => id)).toEqual(ids);
      const [first] = found;
      expect((await objectsOf({ kind, search: first?.name ?? '' })).map(({ id }) => id)).toContain(first?.id);
      expect(await objectsOf({ kind, search: 'no such name' })).toEqual([]);
    },
  );

  it('lists the sites below a site', async () => {
    const parent = (await objectsOf({ kind: 'site' })).find(({ hasChildren }) => hasChildren);
    const below = await objectsOf({ kind: 'site', parentId: parent?.id ?? '' });
    expect(below.length).toBeGreaterThan(0);
    expect(below.map(({ id }) => id)).not.toContain(parent?.id);
    await expect(objectsOf({ kind: 'site', parentId: 'contoso.sharepoint.com,1,2' })).rejects.toBeInstanceOf(Missing);
  });

  it('lists the sites of persons only where they are asked for', async () => {
    const all = await objectsOf({ kind: 'site' });
    const others = await objectsOf({ kind: 'site', withPersonalSites: false });
    expect(all.some(({ isPersonal }) => isPersonal)).toBe(true);
    expect(others.map(({ id }) => id)).toEqual(all.filter(({ isPersonal }) => !isPersonal).map(({ id }) => id));
  });
}
