import { planListScreen } from './list-screen.ts';
import { capital, type Noun, pascalOf } from './names.ts';
import type { Line, Plan, Project } from './plan.ts';

/** A table, the call that lists it, and its screen: `list cost-center --capability billing`. */
export function planList(noun: Noun, capability: string, ability: string, project: Project): Plan {
  const { camel, kebabs, words } = noun;
  const server = `apps/server/src/${capability}`;
  const { number, when } = project.nextMigration;
  const tag = `${String(number).padStart(4, '0')}_${noun.table}`;
  const tables = `${server}/tables.ts`;
  const screen = planListScreen(noun, capability, ability, project);
  return {
    files: {
      [`packages/contract/src/${capability}/${kebabs}.ts`]: contractOf(noun, ability),
      [`apps/server/migrations/${tag}.sql`]: migrationOf(noun),
      [`${server}/${kebabs}.ts`]: readerOf(noun, capability),
      [`${server}/${kebabs}.calls.ts`]: callsOf(noun, capability),
      [`${server}/${kebabs}.test.ts`]: testOf(noun, capability),
      ...(project.exists(tables) ? {} : { [tables]: TABLE_IMPORTS + tableOf(noun) }),
      ...screen.files,
    },
    lines: [
      contractLine(noun, capability, project),
      {
        file: 'apps/server/src/program/compose.ts',
        before: '    ]),\n    authenticate',
        text: `      ...${camel}Calls,\n`,
        imports: [{ name: `${camel}Calls`, from: `../${capability}/${kebabs}.calls.ts` }],
      },
      {
        file: 'apps/server/migrations/meta/_journal.json',
        before: '\n  ]\n',
        text: `,\n    { "idx": ${number}, "version": "7", "when": ${when}, "tag": "${tag}", "breakpoints": true }`,
      },
      ...(project.exists(tables)
        ? [{ file: tables, before: '', text: `\n${tableOf(noun)}`, imports: TABLE_NAMES }]
        : []),
      ...screen.lines,
    ],
    next: [
      `packages/contract/src/${capability}/${kebabs}.ts: the fields, the ability and the texts`,
      `apps/server/migrations/${tag}.sql: the same fields, also in ${tables} (docs/how-to/add-a-migration.md)`,
      `docs/data-model.md and docs/glossary.md: what a row of ${words} is`,
      `apps/server/src/testing/two-providers.ts: a row of each provider, so that the test of the tenant boundary sees one that leaks`,
      `where the capability is new: its level in tools/import-rules.ts and docs/architecture.md`,
      ...screen.next,
      `then: npm run check, and the tests of ${words} in apps/server and apps/web`,
    ],
  };
}

/** Names the module in the chapter of its capability, which may be a new one. */
function contractLine({ camels, kebabs }: Noun, capability: string, { read }: Project): Line {
  const file = 'packages/contract/src/calls.ts';
  const chapter = capital(capability.replaceAll('-', ' '));
  const known = new RegExp(`^  '?${chapter}'?: \\[.*(?=\\],$)`, 'm').exec(read(file) ?? '')?.[0];
  const imports = [{ name: `* as ${camels}`, from: `./${capability}/${kebabs}.ts` }];
  if (known === undefined) return { file, before: '} as const;', text: `  '${chapter}': [${camels}],\n`, imports };
  return { file, before: '', after: known, text: `, ${camels}`, imports };
}

function contractOf({ camel, pascal, pascals, kebabs, words }: Noun, ability: string): string {
  return `import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, text } from '../wire/fields.ts';
import { listOf } from '../wire/replies.ts';

const access = '${ability}' as const;

export const ${camel} = entity('${pascal}', z.object({ _id: id, name: z.string() }));
export type ${pascal} = z.infer<typeof ${camel}>;

export const list${pascals} = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/${kebabs}',
  access,
  ...listOf(${camel}, { sorts: ['name'], query: { search: z.optional(text(200)) } }),
  failure: 'Error while getting the ${words}. Try again later.',
  summary: 'The ${words} of the provider.',
});
`;
}

function migrationOf({ table, words }: Noun): string {
  return `-- TODO: what ${words} are.
CREATE TABLE ${table} (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (provider_id, id)
);
`;
}

const TABLE_NAMES = ['integer', 'pgTable', 'text', 'uuid'].map((name) => ({ name, from: 'drizzle-orm/pg-core' }));
const TABLE_IMPORTS = `import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';

`;

function tableOf({ camels, table }: Noun): string {
  return `export const ${camels} = pgTable('${table}', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  name: text('name').notNull(),
});
`;
}

function readerOf({ pascal, pascals, kebabs, table, words }: Noun, capability: string): string {
  return `import type { ${pascal}, list${pascals} } from '@keepwatch/contract/${capability}/${kebabs}';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { containing, orderOf } from '../foundation/conditions.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';

const SORTS: Readonly<Record<SortOf<typeof list${pascals}>, SQL>> = { name: sql\`lower(t.name)\` };

/** Lists the ${words} of the provider whose name contains a text. */
export function read${pascals}(
  connection: Connection,
  { providerId }: Scope,
  { search = '', sort = 'name', limit, offset }: CallInput<typeof list${pascals}>['query'],
): Promise<Page<${pascal}>> {
  const found = sql\`${table} t where t.provider_id = \${providerId} and t.name ilike \${containing(search)}\`;
  return readPage(
    connection,
    sql\`select t.id as "_id", t.name from \${found} order by \${orderOf(SORTS, sort)}, t.id limit \${limit} offset \${offset}\`,
    sql\`select count(*) as count from \${found}\`,
  );
}
`;
}

function callsOf({ camel, pascals, kebabs }: Noun, capability: string): string {
  return `import { list${pascals} } from '@keepwatch/contract/${capability}/${kebabs}';
import { answer, type Route } from '../foundation/http/routes.ts';
import { read${pascals} } from './${kebabs}.ts';

export const ${camel}Calls: Route[] = [
  answer(list${pascals}, ({ database, scope }, { query }) => read${pascals}(database, scope, query)),
];
`;
}

function testOf({ pascals, kebabs, table }: Noun, capability: string): string {
  return `import { list${pascals} } from '@keepwatch/contract/${capability}/${kebabs}';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

const build${pascalOf('row')} = (providerId: number, name: string) =>
  execute(portal.database, sql\`insert into ${table} (provider_id, id, name) values (\${providerId}, \${newId()}, \${name})\`);

describe('GET monitoring/backoffice/${kebabs}', () => {
  it('200: lists by name, finds by name, and shows nothing of another provider', async () => {
    for (const name of ['b', 'A', 'c 100%']) await buildRow(1, name);
    await buildRow(2, 'of another provider');
    const admin = await portal.as('admin');
    const namesOf = async (search: string) =>
      (await admin.call(list${pascals}, { query: { search } })).data.map(({ name }) => name);
    expect(await namesOf('')).toEqual(['A', 'b', 'c 100%']);
    expect(await namesOf('100%')).toEqual(['c 100%']);
    const page = await admin.call(list${pascals}, { query: { sort: '-name', limit: 1, offset: 1 } });
    expect(page).toMatchObject({ count: 3, data: [{ name: 'b' }] });
  });
});
`;
}
