import { expect, it } from 'vitest';
import type { RepositoryCatalog, SearchQuery } from '../catalog/catalog.ts';
import type { StoredItem } from '../model/items.ts';
import { buildCommit, buildEnd, buildItem, buildSection, day, put, remove } from './catalog-builders.ts';
import { found, foundInPages, indexAll, rename, searchable } from './catalog-search-builders.ts';

/** What every catalog guarantees of its search. */
export function searchGuarantees(newRepository: () => Promise<RepositoryCatalog>): void {
  const withItems = async (items: readonly StoredItem[], text = '') => searchable(await newRepository(), items, text);

  it('finds items by words of their names, people and text, whatever their case and accents', async () => {
    const details = {
      from: 'Renée Dupont <renee.dupont@contoso.example>',
      to: ['Bob <bob@fabrikam.example>'],
      cc: ['cecil@woodgrove.example'],
    };
    const repository = await withItems(
      [buildItem('m', { name: 'Jahresübersicht 2026', details })],
      'Größe der Lieferung',
    );
    for (const text of [
      'JAHRESUBERSICHT',
      'renee',
      'Dupont',
      'bob@fabrikam.example',
      'woodgrove',
      'grosse lieferung',
      'größe',
      'lief',
    ]) {
      const expected = text === 'grosse lieferung' ? [] : ['m'];
      expect([text, await found(repository, { text, kinds: ['message'] })]).toEqual([text, expected]);
    }
    expect(await found(repository, { text: 'renee lieferungen' })).toEqual([]);
  });

  it('takes the last word for a beginning, and words in quotes for neighbours', async () => {
    const repository = await withItems([
      buildItem('a', { name: 'annual budget review' }),
      buildItem('b', { name: 'budget annual' }),
    ]);
    expect(await found(repository, { text: 'annual bud' })).toEqual(['a', 'b']);
    expect(await found(repository, { text: 'bud annual' })).toEqual([]);
    expect(await found(repository, { text: '"annual budget"' })).toEqual(['a']);
    expect(await found(repository, { text: '"annual bud"' })).toEqual([]);
    expect(await found(repository, { text: '"budget review" ann' })).toEqual(['a']);
  });

  it('finds a file by the parts of its name', async () => {
    const repository = await withItems([buildItem('f', { kind: 'file', name: 'QuarterReport_2026-final.v2.XLSX' })]);
    for (const fileName of [
      'quarterreport',
      'quarter',
      'report',
      '2026',
      'final',
      'xlsx',
      'QuarterReport_2026',
      'report xls',
    ])
      expect([fileName, await found(repository, { fileName })]).toEqual([fileName, ['f']]);
    expect(await found(repository, { fileName: 'sub' })).toEqual([]);
    expect(await found(repository, { subject: 'report' })).toEqual([]);
  });

  it('finds people by name, address, local part and domain, apart from who only received', async () => {
    const from = 'Ada Lovelace <ada.lovelace@mail.contoso.example>';
    const repository = await withItems([
      buildItem('sent', { details: { from, to: ['Bob <bob@fabrikam.example>'] } }),
      buildItem('got', { details: { from: 'Bob <bob@fabrikam.example>', bcc: [from] } }),
    ]);
    for (const one of [
      'ada',
      'Lovelace',
      'ada.lovelace',
      'ada.lovelace@mail.contoso.example',
      '@mail.contoso.example',
      'mail.contoso.ex',
      'contoso.example',
      from,
    ]) {
      expect([one, await found(repository, { from: one })]).toEqual([one, ['sent']]);
      expect([one, await found(repository, { to: one })]).toEqual([one, ['got']]);
    }
    expect(await found(repository, { from: 'bob', to: 'ada' })).toEqual(['got']);
    expect(await found(repository, { text: 'ada.lovelace@mail.contoso.example' })).toEqual(['got', 'sent']);
  });

  it('takes signs in a text for nothing but signs', async () => {
    const repository = await withItems([buildItem('m', { name: "it's 100% done: a & b | !c <-> (d) \\ 'e'" })]);
    for (const text of ["it's", "' OR 1=1 --", 'done & !', '(((', '"unclosed', 'a:* <-> b', "\\'", '100%', 'e\0'])
      expect(Array.isArray(await found(repository, { text }))).toBe(true);
    expect(await found(repository, { text: "it's & done !c" })).toEqual(['m']);
    expect(await found(repository, { text: '!!!' })).toEqual([]);
  });

  it('filters by kind, date, size, attachments and object', async () => {
    const repository = await withItems([
      buildItem('old', { sizeBytes: 10, details: { receivedAt: day(1).toISOString() } }),
      buildItem('new', { sizeBytes: 20, details: { receivedAt: day(5).toISOString(), attachmentNames: ['a.pdf'] } }),
      buildItem('event', { kind: 'event', sizeBytes: 30, details: { startsAt: day(3).toISOString() } }),
    ]);
    expect(await found(repository, { kinds: ['event'] })).toEqual(['event']);
    expect(await found(repository, { text: 'subject', dateFrom: day(3) })).toEqual(['event', 'new']);
    expect(await found(repository, { dateFrom: day(1), dateTo: day(3) })).toEqual(['event', 'old']);
    expect(await found(repository, { text: 'subject', sizeFrom: 20, sizeTo: 20 })).toEqual(['new']);
    expect(await found(repository, { hasAttachments: true })).toEqual(['new']);
    expect(await found(repository, { fileName: 'a.pdf' })).toEqual(['new']);
    expect(await found(repository, { text: 'subject', objects: ['bob'] })).toEqual([]);
    expect(
      await found(repository, { text: 'subject', objects: ['ada', 'bob'], organizationId: 'contoso' }),
    ).toHaveLength(3);
    expect(await found(repository, { text: 'subject', organizationId: 'another' })).toEqual([]);
  });

  it('finds items of one organization alone, whether it shares the repository or not', async () => {
    const repository = await withItems([buildItem('own')]);
    const search = (organizationId: string) => found(repository, { text: 'subject', organizationId });
    expect([await search('contoso'), await search('fabrikam')]).toEqual([['own'], []]);
    const puts = [put(buildItem('others', { parentId: null }))];
    const others = buildSection(1, puts, { key: 'eve', organizationId: 'fabrikam' });
    await repository.apply(
      buildCommit('s', 1, { sections: [others], end: buildEnd([['eve', 1]], { finishedAt: day(2) }) }),
    );
    await indexAll(repository);
    expect([await search('contoso'), await search('fabrikam')]).toEqual([['own'], ['others']]);
  });

  it('looks into one folder with all below it, at a restore point or where items were last', async () => {
    const repository = await withItems([
      buildItem('in', { name: 'offer', parentId: 'inbox' }),
      buildItem('moved', { name: 'offer', parentId: 'inbox' }),
      buildItem('above', { name: 'offer', parentId: 'top' }),
      buildItem('out', { name: 'offer', parentId: null }),
    ]);
    await repository.apply(
      buildCommit('s', 1, {
        sections: [buildSection(2, [put(buildItem('moved', { name: 'offer', parentId: null }))])],
        end: buildEnd([['ada', 2]], { finishedAt: day(2) }),
      }),
    );
    await indexAll(repository);
    const inFolder = { text: 'offer', objects: ['ada'] };
    expect(await found(repository, { ...inFolder, within: 'inbox' })).toEqual(['in']);
    expect(await found(repository, { ...inFolder, within: 'inbox', restorePoint: 'r' })).toEqual(['in', 'moved']);
    expect(await found(repository, { ...inFolder, within: 'top' })).toEqual(['above', 'in']);
    expect(await found(repository, { ...inFolder, within: 'nothing' })).toEqual([]);
    await expect(found(repository, { text: 'offer', within: 'inbox' })).rejects.toMatchObject({ code: 'bad-request' });
  });

  it('shows newest first, page by page, with the folders an item is in', async () => {
    const items = Array.from({ length: 25 }, (_, at) =>
      buildItem(`m${at}`, { name: 'offer', details: { receivedAt: day(Math.floor(at / 2)).toISOString() } }),
    );
    const repository = await withItems(items);
    for (const query of [{ text: 'offer' }, { kinds: ['message' as const] }, { text: 'offer', objects: ['ada'] }]) {
      const days: (string | undefined)[] = [];
      const ids = new Set<string>();
      for (let after: string | undefined; ; ) {
        const { hits, next } = await repository.search({
          ...query,
          limit: 4,
          ...(after === undefined ? {} : { after }),
        });
        days.push(...hits.map(({ version }) => version.details.receivedAt));
        for (const { version, path } of hits) {
          ids.add(version.id);
          expect(path).toEqual(['Top', 'Inbox']);
        }
        after = next ?? undefined;
        if (after === undefined) break;
      }
      expect(ids.size).toBe(25);
      expect(days).toHaveLength(25);
      expect(days).toEqual(days.toSorted().reverse());
    }
    await expect(repository.search({ limit: 1, after: 'x' })).rejects.toMatchObject({ code: 'bad-request' });
    const [first, second] = (await repository.search({ limit: 2 })).hits;
    if (first === undefined || second === undefined) throw new Error('Nothing was found.');
    // A page that was open before an update of the program continues: its cursor has one member less.
    const members: unknown[] = JSON.parse(Buffer.from(first.cursor, 'base64url').toString());
    const after = Buffer.from(JSON.stringify(members.slice(0, 3))).toString('base64url');
    expect((await repository.search({ limit: 1, after })).hits).toEqual([second]);
  });

  it('finds the newest among thousands of matches as among few', async () => {
    const items = Array.from({ length: 4_000 }, (_, at) =>
      buildItem(`m${at}`, {
        name: `offer ${at % 2 === 0 ? 'even' : 'odd'} ${at < 1_200 ? 'early' : 'late'}`,
        details: { receivedAt: day(at).toISOString() },
      }),
    );
    const repository = await withItems(items);
    const newest = async (query: Omit<SearchQuery, 'limit'>) =>
      (await repository.search({ ...query, limit: 3 })).hits.map(({ version }) => version.id);
    expect(await newest({ text: 'offer' })).toEqual(['m3999', 'm3998', 'm3997']);
    expect(await newest({ text: 'offer odd' })).toEqual(['m3999', 'm3997', 'm3995']);
    expect(await newest({ text: 'early' })).toEqual(['m1199', 'm1198', 'm1197']);
    expect(await newest({ text: 'early odd' })).toEqual(['m1199', 'm1197', 'm1195']);
    expect(await newest({ text: 'offer even', restorePoint: 'r', dateTo: day(2_000) })).toEqual([
      'm2000',
      'm1998',
      'm1996',
    ]);
  });

  it('finds all neighbours among thousands of items with the same words apart, in pages that end early', async () => {
    const items = Array.from({ length: 5_000 }, (_, at) =>
      buildItem(`m${at}`, {
        name: at % 1_000 === 7 ? 'annual budget' : 'annual review, budget',
        details: { receivedAt: new Date(day(1).getTime() + at * 60_000).toISOString() },
      }),
    );
    const repository = await withItems(items);
    const query = { text: '"annual budget"', limit: 5 };
    expect(await foundInPages(repository, query)).toEqual([['m4007', 'm3007', 'm2007', 'm1007'], ['m7']]);
    expect(await found(repository, { text: '"review budget" annual', dateTo: day(1) })).toEqual(['m0']);
    // A page looks at 4,000 entries, so the first now ends among the versions of this item, of which the second alone matches.
    const [atTheEnd] = items.slice(1_002);
    if (atTheEnd === undefined) throw new Error('There is no such item.');
    const names = ['annual budget', ...Array.from({ length: 8 }, (_, at) => `annual review ${at}, budget`)];
    await rename(repository, atTheEnd, names);
    expect(await foundInPages(repository, query)).toEqual([
      ['m4007', 'm3007', 'm2007', 'm1007'],
      ['m1002', 'm7'],
    ]);
  });

  it('finds an item by an earlier version where a look at the newest entries ended among its versions', async () => {
    // The first look is at 300 entries: the last of them is one of the edited item, and the version that matches is behind it.
    const items = Array.from({ length: 297 }, (_, at) =>
      buildItem(`m${at}`, { name: at === 9 ? 'budget' : 'review', details: { receivedAt: day(9).toISOString() } }),
    );
    const edited = buildItem('edited', { name: 'budget', details: { receivedAt: day(8).toISOString() } });
    const repository = await withItems([...items, edited]);
    await rename(
      repository,
      edited,
      Array.from({ length: 6 }, (_, at) => `review ${at}`),
    );
    for (const query of [{}, { objects: ['ada'] }])
      expect(await foundInPages(repository, { text: 'budget', limit: 2, ...query })).toEqual([['m9', 'edited'], []]);
    expect(await foundInPages(repository, { text: 'budget', limit: 1 })).toEqual([['m9'], ['edited'], []]);
  });

  it('shows what a restore point had, and over all of time each item once, as it last matched', async () => {
    const repository = await withItems([
      buildItem('m', { name: 'first draft' }),
      buildItem('n', { name: 'first note' }),
    ]);
    await repository.apply(
      buildCommit('s', 1, {
        sections: [buildSection(2, [put(buildItem('m', { name: 'first and final' })), remove('n')])],
        end: buildEnd([['ada', 2]], { finishedAt: day(2) }),
      }),
    );
    await indexAll(repository);
    const versions = async (query: Omit<SearchQuery, 'limit'>) =>
      (await repository.search({ ...query, limit: 9 })).hits
        .map(({ version }) => `${version.id}${version.firstRevision}`)
        .sort();
    expect(await versions({ text: 'first' })).toEqual(['m2', 'n1']);
    expect(await versions({ text: 'draft' })).toEqual(['m1']);
    expect(await versions({ text: 'first', restorePoint: 'r' })).toEqual(['m1', 'n1']);
    expect(await versions({ text: 'first', restorePoint: 's' })).toEqual(['m2']);
    expect(await versions({ text: 'first', restorePoint: 'unknown' })).toEqual([]);
    const gone = async (query: Omit<SearchQuery, 'limit'>) =>
      (await repository.search({ ...query, limit: 9 })).hits.map(({ version, goneAt }) => [version.id, goneAt]);
    // An item of which an earlier version matches is still there.
    expect(await gone({ text: 'draft' })).toEqual([['m', null]]);
    expect(await gone({ isDeleted: true })).toEqual([['n', day(2)]]);
    expect(await gone({ text: 'first', isDeleted: true, restorePoint: 'r' })).toEqual([['n', day(2)]]);
    expect(await versions({ text: 'first', isDeleted: false })).toEqual(['m2']);
    expect(await versions({ text: 'draft', isDeleted: true })).toEqual([]);
  });

  it('finds the only few among many with the same word, by size, attachments, object and date', async () => {
    const items = Array.from({ length: 4_000 }, (_, at) =>
      buildItem(`m${at}`, {
        name: 'offer',
        sizeBytes: at === 3 ? 5_000_000 : 40_000 + at,
        details: { receivedAt: day(-at).toISOString(), hasAttachments: at === 3_900 },
      }),
    );
    const repository = await withItems(items);
    const other = buildSection(1, [put(buildItem('far', { name: 'offer', modifiedAt: day(-9_999) }))], { key: 'bob' });
    await repository.apply(buildCommit('s', 1, { sections: [other] }));
    await indexAll(repository);
    expect(await found(repository, { text: 'offer', sizeFrom: 4_000_000 })).toEqual(['m3']);
    expect(await found(repository, { text: 'offer', sizeFrom: 43_997, sizeTo: 43_998 })).toEqual(['m3997', 'm3998']);
    expect(await found(repository, { kinds: ['message'], sizeTo: 99 })).toEqual([]);
    expect(await found(repository, { text: 'offer', hasAttachments: true })).toEqual(['m3900']);
    expect(await found(repository, { text: 'offer', objects: ['bob'] })).toEqual(['far']);
    expect(await found(repository, { text: 'offer', dateTo: day(-3_999) })).toEqual(['far', 'm3999']);
  });
}
