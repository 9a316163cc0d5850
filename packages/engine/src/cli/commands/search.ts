import type { RepositoryCatalog, SearchHit, SearchQuery } from '../../catalog/catalog.ts';
import { counted } from '../../model/counted.ts';
import { EngineError } from '../../model/engine-error.ts';
import { ITEM_KINDS } from '../../model/items.ts';
import type { Command } from '../command.ts';
import type { Given } from '../given.ts';
import { ID_OPTIONS } from '../open-parts.ts';
import { PICK_OPTIONS, pickObject, pickRestorePoint } from '../pick.ts';
import { SHOWING_OPTIONS, withShownParts } from '../present-parts.ts';

export const search: Command = {
  words: '<words>',
  options: {
    ...SHOWING_OPTIONS,
    ...PICK_OPTIONS,
    from: { type: 'string', help: 'sender' },
    to: { type: 'string', help: 'recipient' },
    subject: { type: 'string', help: 'words of the subject' },
    file: { type: 'string', help: 'words of the file name' },
    kind: { type: 'string', help: `one or several of ${ITEM_KINDS.join(', ')}` },
    since: { type: 'string', help: 'dated on or after this day or instant' },
    until: { type: 'string', help: 'dated on or before' },
    limit: { type: 'string', help: 'hits (50)' },
    after: { type: 'string', help: 'cursor of the page before' },
    ...ID_OPTIONS,
  },
  examples: [
    ['offer turbine', 'both words, anywhere, over all of time; the last may be a beginning'],
    [`'"annual report"' --from ada --since 2026-01-01 --kind message`, 'words next to each other, from one sender'],
  ],
  run: (context) => {
    const { given, output } = context;
    const filter = queryOf(given);
    return withShownParts(context, async ({ catalog }) => {
      const query = { ...filter, ...(await scopeOf(catalog, given)) };
      const { hits, next } = await catalog.search(query);
      output.rows(hits.map(rowOf), next === null ? NOTHING_FOUND : 'Nothing was found yet.');
      if (next !== null) output.say(`There may be more: --after ${next}`, { next });
      await reportUnindexed(catalog, output);
      return 'Success';
    });
  },
};

const NOTHING_FOUND =
  'Nothing was found. All words must occur; fewer words or filters find more, and without --restore-point and --at all of time is searched.';

/** What is looked for. @throws `bad-request` when that is nothing */
function queryOf(given: Given): SearchQuery {
  const kinds = given.someOf('kind', ITEM_KINDS);
  const dates = given.period('since', 'until');
  const query = {
    text: given.words.join(' ').trim() || undefined,
    from: given.text('from'),
    to: given.text('to'),
    subject: given.text('subject'),
    fileName: given.text('file'),
    kinds: kinds.length === 0 ? undefined : kinds,
    dateFrom: dates.from,
    dateTo: dates.to,
  };
  if (Object.values(query).every((value) => value === undefined))
    throw new EngineError(
      'bad-request',
      'Say what to find: words, --from, --to, --subject, --file, --kind, --since or --until.',
    );
  const limit = given.count('limit', 50, 1_000, 1);
  return { ...withoutUndefined({ ...query, after: given.text('after') }), limit };
}

/** Where it is looked for: without any of it, everywhere and over all of time. */
async function scopeOf(catalog: RepositoryCatalog, given: Given): Promise<Partial<SearchQuery>> {
  const hasPoint = given.text('restore-point') !== undefined || given.text('at') !== undefined;
  const hasObject = given.text('object') !== undefined;
  if (!hasPoint && !hasObject) return {};
  const point = await pickRestorePoint(catalog, given);
  return {
    ...(hasPoint ? { restorePoint: point.run.id } : {}),
    ...(hasObject ? { objects: [(await pickObject(catalog, point, given)).object.key] } : {}),
  };
}

type Defined<Of> = { [Name in keyof Of]?: Exclude<Of[Name], undefined> };

function withoutUndefined<Of extends object>(value: Of): Defined<Of> {
  const known: Defined<Of> = { ...value } as Defined<Of>;
  for (const name of Object.keys(value) as (keyof Of)[]) if (value[name] === undefined) delete known[name];
  return known;
}

function rowOf({ object, version, path }: SearchHit) {
  const { receivedAt, from } = version.details;
  return {
    kind: version.kind,
    name: version.name,
    from,
    date: receivedAt === undefined ? version.modifiedAt : new Date(receivedAt),
    object: object.name,
    path: path.join(' / '),
    key: object.key,
    id: version.id,
  };
}

async function reportUnindexed(
  catalog: RepositoryCatalog,
  output: Parameters<Command['run']>[0]['output'],
): Promise<void> {
  const unindexed = await catalog.countUnindexed();
  if (unindexed === 0) return;
  const text = `${counted(unindexed, 'item is', 'items are')} not searchable yet. The next backup makes them searchable.`;
  output.problem(text, { code: 'unindexed', unindexed });
}
