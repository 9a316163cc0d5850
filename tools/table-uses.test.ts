import { describe, expect, it } from 'vitest';
import { textOf } from './source-files.ts';
import { foreignTables, serverFiles, tableOwners } from './table-uses.ts';

const SERVER = 'apps/server/src/';
const DECLARED = [
  { path: `${SERVER}runs/tables.ts`, text: "pgTable('jobs', {}); pgTable(\n'job_executions', {})" },
  { path: `${SERVER}directory/tables.ts`, text: "export const companies = pgTable('companies', {});" },
];

/** The tables that a file of `insights` may not name, by the message of each. */
function refused(text: string): string[] {
  const lines = foreignTables([...DECLARED, { path: `${SERVER}insights/overview.ts`, text }]);
  return lines.map((line) => / the table (\w+) of /.exec(line)?.[1] ?? line);
}

const SQL_WITH_A_TABLE: readonly (readonly [text: string, tables: string[]])[] = [
  ['sql`select j.name\n    from jobs j\n   where j.provider_id = ${1}`', ['jobs']],
  ['sql`select from ${x} x, jobs j where x.id = j.id`', ['jobs']],
  ['sql`select from unnest(${ids}) as k (id, at), jobs`', ['jobs']],
  ['sql`select from ${x} x join ${y} y on y.id = x.id, jobs j where j.id = y.id`', ['jobs']],
  ['sql`left join companies c on c.id = j.company_id`', ['companies']],
  ['sql`select (select count(*) from jobs j) as n, c.name from companies c`', ['jobs', 'companies']],
  ['sql`update jobs j set name = ${name}`', ['jobs']],
  ['sql`insert into jobs as j (name) values (${name})`', ['jobs']],
  ['sql`delete from job_executions e using jobs j where e.job = j.id`', ['job_executions', 'jobs']],
  ['sql`with a as (select 1) select from a cross join lateral (select from "jobs" limit 1) j`', ['jobs']],
  ["sql`select 'jobs'::regclass`", ['jobs']],
  ["sql`select to_regclass('companies')`", ['companies']],
  ['sql`${condition ? sql`from jobs` : sql``}`', ['jobs']],
  ['const TABLE = sql`jobs`;', ['jobs']],
  ["sql.raw('from jobs j')", ['jobs']],
  ["sql.identifier('companies')", ['companies']],
  ["client.query('select id from jobs')", ['jobs']],
  ['copyFrom(`copy job_executions (id) from stdin`)', ['job_executions']],
  ["const table = 'job_executions';", ['job_executions']],
];

const TEXT_WITHOUT = [
  '// read from jobs, join companies',
  "const message = 'Removes jobs from companies.';",
  '`${count} jobs of ${company} are missing from companies you follow`',
  "report.count('jobs', 1); type Kind = 'companies';",
  'sql`select t.jobs, count(*) as companies from ${JOBS} t order by t.jobs`',
  "sql`select counts->'jobs' from ${RUNS} r`",
  'sql`select a.id, jobs from ${JOBS} a order by 1, jobs desc`',
  'for (const job of jobs) names.push(job.name);',
];

describe('a table', () => {
  it.each(SQL_WITH_A_TABLE)('is found in %s', (text, tables) => {
    expect(refused(text)).toEqual(tables);
  });

  it.each(TEXT_WITHOUT)('is not found in %s', (text) => {
    expect(refused(text)).toEqual([]);
  });

  it('may be named by its owner alone, and the message says who that is', () => {
    const text = 'sql`select from jobs`';
    expect(foreignTables([...DECLARED, { path: `${SERVER}runs/jobs.ts`, text }])).toEqual([]);
    expect(foreignTables([...DECLARED, { path: `${SERVER}program/backup.ts`, text }])).toEqual([
      'apps/server/src/program/backup.ts names the table jobs of runs: import what runs exports of it, or add that there',
    ]);
  });

  it('is declared once', () => {
    const twice = { path: `${SERVER}insights/tables.ts`, text: "pgTable('jobs', {})" };
    expect(() => tableOwners([...DECLARED, twice])).toThrow(
      'The table jobs is declared in apps/server/src/insights/tables.ts',
    );
  });

  it('is read and written by the capability that declares it, in all of the server', () => {
    const files = serverFiles();
    expect(files.length).toBeGreaterThan(150);
    expect(foreignTables(files)).toEqual([]);
  });

  it('is on the page of the data model, with its owner', () => {
    const rows = (textOf('docs/data-model.md') ?? '').split('\n').filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((row) => {
      const [, names = '', owner = ''] = row.split('|');
      return [...names.matchAll(/`(\w+)`/g)].map(([, table]) => `${table} of ${owner.trim().replaceAll('`', '')}`);
    });
    const declared = [...tableOwners(serverFiles())].map(([table, owner]) => `${table} of ${owner}`);
    expect(listed.toSorted()).toEqual(declared.toSorted());
  });
});
