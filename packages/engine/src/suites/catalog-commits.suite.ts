import { expect, it } from 'vitest';
import type { TestRepositoryCatalog } from '../testing/test-catalog.ts';
import {
  all,
  buildCommit,
  buildEnd,
  buildItem,
  buildPack,
  buildSection,
  chunk,
  put,
  remove,
} from './catalog-builders.ts';

/** What every catalog guarantees of commits. */
export function commitGuarantees(newRepository: () => Promise<TestRepositoryCatalog>): void {
  it('shows what a commit put, with all that the journal says of it', async () => {
    const repository = await newRepository();
    const item = buildItem('m', {
      name: 'Tab\there, "quotes", \\ and a line\nbreak, 日本語 🎈',
      details: { from: 'Bob <bob@contoso.example>', to: ['x\\N'], hasAttachments: true },
      contents: [
        {
          name: 'mime',
          sizeBytes: 40,
          segments: [[chunk(1), 0, 20], { base64: 76, end: 'crlf', of: [[chunk(2), 0, 30]] }],
        },
        { name: 'versions/1.0', sizeBytes: 9, list: [[chunk(3), 0, 9]] },
      ],
    });
    await repository.apply(buildCommit('r', 1, { sections: [buildSection(1, [put(item)])] }));
    expect((await repository.current('ada', ['m', 'other'])).get('m')).toEqual(item);
    expect(await repository.item('ada', 1, 'm')).toEqual({
      ...item,
      firstRevision: 1,
      lastRevision: null,
      endedAt: null,
    });
  });

  it('changes nothing when a commit comes again', async () => {
    const repository = await newRepository();
    const first = buildCommit('r', 1, {
      packs: [buildPack(1, [1, 2])],
      sections: [buildSection(1, [put(buildItem('m')), { type: 'cursor', scope: 'inbox', value: 'token' }])],
    });
    const second = buildCommit('r', 2, { sections: [buildSection(2, [remove('m')])], end: buildEnd([['ada', 2]]) });
    await repository.apply(first);
    await repository.apply(second);
    const before = await repository.fingerprint();
    await repository.apply(first);
    await repository.apply(second);
    expect(await repository.fingerprint()).toEqual(before);
  });

  it('refuses a commit whose revision is missing, and keeps nothing of it', async () => {
    const repository = await newRepository();
    await repository.apply(buildCommit('r', 1, { sections: [buildSection(1, [put(buildItem('m'))])] }));
    const before = await repository.fingerprint();
    const ahead = buildCommit('s', 1, { packs: [buildPack(2, [5])], sections: [buildSection(3, [remove('m')])] });
    await expect(repository.apply(ahead)).rejects.toMatchObject({ code: 'damaged' });
    expect(await repository.fingerprint()).toEqual(before);
    expect([...(await repository.commitsBetween('', null)).keys()]).toEqual(['r']);
  });

  it('goes over what is missing when asked to, and asks the source for all of the object', async () => {
    const repository = await newRepository();
    const first = buildSection(1, [put(buildItem('m')), { type: 'cursor', scope: 'all', value: 'token' }]);
    await repository.apply(buildCommit('r', 1, { sections: [first] }));
    const late = { sections: [buildSection(3, [put(buildItem('n'))])], end: buildEnd([['ada', 3]]) };
    await repository.apply({ ...buildCommit('r', 3, late), header: null }, { isOverGaps: true });
    expect(await repository.object('ada')).toMatchObject({ revision: 3, cursors: new Map() });
    expect((await all(repository.walk('ada', 3, null))).map(({ id }) => id).sort()).toEqual(['m', 'n']);
    expect((await repository.restorePoint('r'))?.objects).toEqual([['ada', 3]]);
  });

  it('keeps a revision that came twice as the next one: nothing of either is out of reach, and the object is read again', async () => {
    const repository = await newRepository();
    const cursor = { type: 'cursor', scope: 'all', value: 'token' } as const;
    const one = [buildSection(1, [put(buildItem('m')), cursor])];
    const other = [buildSection(1, [put(buildItem('n')), cursor])];
    const [first, second] = [{ sections: one, end: buildEnd([['ada', 1]]) }, { sections: other }];
    expect(await repository.apply(buildCommit('r', 1, first))).toEqual([]);
    expect(await repository.apply(buildCommit('s', 1, second))).toMatchObject([
      { object: 'ada', run: 's', revision: 1, storedAs: 2 },
    ]);
    await repository.apply(buildCommit('s', 2, { end: buildEnd([['ada', 1]]) }));
    expect((await repository.restorePoint('s'))?.objects).toEqual([['ada', 2]]);
    const idsAt = async (revision: number) => (await all(repository.walk('ada', revision, null))).map(({ id }) => id);
    expect([await idsAt(1), (await idsAt(2)).sort()]).toEqual([['m'], ['m', 'n']]);
    expect(await repository.object('ada')).toMatchObject({ revision: 2, cursors: new Map() });
    await repository.apply(buildCommit('t', 1, { sections: [buildSection(3, [remove('m')])] }));
    expect(await idsAt(3)).toEqual(['n']);
  });

  it('refuses a commit that does not follow the last one of its run', async () => {
    const repository = await newRepository();
    await expect(repository.apply(buildCommit('r', 2))).rejects.toMatchObject({ code: 'damaged' });
    await repository.apply(buildCommit('r', 1));
    await expect(repository.apply(buildCommit('r', 3))).rejects.toMatchObject({ code: 'damaged' });
  });

  it('knows a run as open until its end, or until another closes it', async () => {
    const repository = await newRepository();
    await repository.apply(buildCommit('r', 1));
    await repository.apply(buildCommit('s', 1));
    await repository.apply(buildCommit('t', 1));
    await repository.apply(buildCommit('s', 2, { end: buildEnd([]) }));
    await repository.apply(buildCommit('t', 2, { closedBy: 'r' }));
    expect([...(await repository.openRuns())]).toEqual([['r', 1]]);
    expect([...(await repository.commitsBetween('a', 's')).keys()]).toEqual(['r', 's']);
    expect([...(await repository.commitsBetween('r', null, 1)).keys()]).toEqual(['s']);
    expect([...(await repository.commitsBetween('', 'r')).keys()]).toEqual(['r']);
  });

  it('keeps cursors and lost items of an object until they are removed', async () => {
    const repository = await newRepository();
    const lost = { id: 'm', kind: 'message' as const, name: 'Gone\0', parentId: null, reason: 'Try again.' };
    await repository.apply(
      buildCommit('r', 1, {
        sections: [
          buildSection(1, [
            { type: 'cursor', scope: 'one', value: 'a' },
            { type: 'cursor', scope: 'two', value: 'b' },
            { type: 'lost', item: lost },
            { type: 'lost', item: { ...lost, id: 'n' } },
          ]),
        ],
      }),
    );
    await repository.apply(
      buildCommit('r', 2, {
        sections: [
          buildSection(
            2,
            [
              { type: 'cursor', scope: 'one', value: null },
              { type: 'cursor', scope: 'two', value: 'c' },
              { type: 'found', item: 'n' },
            ],
            { name: 'Ada King', address: null },
          ),
        ],
      }),
    );
    const object = await repository.object('ada');
    expect(object).toMatchObject({ name: 'Ada King', address: null, revision: 2, organizationId: 'contoso' });
    expect([...(object?.cursors ?? [])]).toEqual([['two', 'c']]);
    expect(object?.lost).toEqual([lost]);
    expect(await all(repository.listObjects())).toEqual([object]);
    expect(await repository.object('bob')).toBeNull();
  });

  it('applies a commit once when many apply it at the same time', async () => {
    const repository = await newRepository();
    const commit = buildCommit('r', 1, { sections: [buildSection(1, [put(buildItem('m'))])] });
    await Promise.all([repository.apply(commit), repository.apply(commit), repository.apply(commit)]);
    expect(await repository.versionsOf('ada', 'm')).toHaveLength(1);
  });
}
