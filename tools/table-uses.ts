import { parseSync, Visitor } from 'vite';
import { isTest } from './import-rules.ts';
import { listFiles, textOf } from './source-files.ts';

/** A file of the server with its text. */
export interface ServerFile {
  /** From the root, with slashes. */
  path: string;
  text: string;
}

const SERVER = 'apps/server/src/';

/** The server's shipped code. */
export function serverFiles(): ServerFile[] {
  return listFiles(`${SERVER}*.ts`)
    .filter((path) => !isTest(path) && !path.endsWith('.fixture.ts'))
    .flatMap((path) => {
      const text = textOf(path);
      return text === null ? [] : [{ path, text }];
    });
}

/** Each declared table with the capability that owns it. Throws for one that is declared twice. */
export function tableOwners(files: readonly ServerFile[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { path, text } of files) {
    if (!path.endsWith('/tables.ts')) continue;
    for (const [, table = ''] of text.matchAll(/\bpgTable\(\s*'([^']+)'/g)) {
      const other = owners.get(table);
      if (other !== undefined) throw new Error(`The table ${table} is declared in ${path} and by ${other}.`);
      owners.set(table, capabilityOf(path));
    }
  }
  return owners;
}

/** Every use of a table outside the capability that owns it, as a line that says what to do. */
export function foreignTables(files: readonly ServerFile[]): string[] {
  const owners = tableOwners(files);
  return files.flatMap(({ path, text }) => {
    const foreign = [...tablesIn(text, owners)].filter((table) => owners.get(table) !== capabilityOf(path));
    return foreign.map((table) => {
      const owner = owners.get(table);
      return `${path} names the table ${table} of ${owner}: import what ${owner} exports of it, or add that there`;
    });
  });
}

function capabilityOf(path: string): string {
  return path.slice(SERVER.length).split('/')[0] ?? '';
}

/** The tables that a file names in its SQL. */
function tablesIn(text: string, owners: ReadonlyMap<string, string>): Set<string> {
  const found = new Set<string>();
  const look = (words: Iterable<string>) => {
    for (const word of words) if (owners.has(word)) found.add(word);
  };
  const queries = new Set<object>();
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type === 'Identifier' && tag.name === 'sql') queries.add(quasi);
    },
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || callee.object.name !== 'sql')
        return;
      for (const argument of given) queries.add(argument);
    },
    TemplateLiteral(template) {
      const whole = template.quasis.map(({ value }) => value.cooked ?? value.raw).join(' ? ');
      look(wordsOf(whole, queries.has(template)));
    },
    Literal(literal) {
      if (typeof literal.value === 'string') look(wordsOf(literal.value, queries.has(literal)));
    },
  }).visit(parseSync('file.ts', text).program);
  return found;
}

const STATEMENT =
  /^\s*(select|with|insert into|delete from|copy|truncate|analyze|lock table|(alter|create|drop) table)\s|\bupdate\s+\S+\s+(\w+\s+)?set\s/i;

/** The words of a text that can be names of tables. Texts for people are full of jobs, users and companies. */
function wordsOf(text: string, isQuery: boolean): string[] {
  if (!isQuery && !STATEMENT.test(text)) return text.includes('_') ? [text] : [];
  return [text.trim(), ...clausesOf(text).flatMap(tablesOfClause), ...quotedNames(text)];
}

/** The parts of a query between its parentheses, innermost first, each without those within it. */
function clausesOf(query: string): string[] {
  const clauses: string[] = [];
  let rest = query;
  for (let next = ''; next !== rest; ) {
    next = rest;
    rest = rest.replace(/\(([^()]*)\)/g, (_, clause: string) => {
      clauses.push(clause);
      return ' ? ';
    });
  }
  return [...clauses, ...rest.split(/[()]/)];
}

const LIST =
  /\b(?:from|using)\s+(.*?)(?=\b(?:where|group|order|limit|offset|having|union|returning|for|on|set|from|using)\b|;|$)/gis;
const ONE =
  /\b(?:join|lateral|update|into|table|only|truncate|analyze|vacuum|copy|lock|references|inherits)\s+"?(\w+)"?/gi;

/** An item of a list with an alias, which after a join's condition is a table too; in a list of columns a keyword follows. */
const ALIASED =
  /,\s*"?(\w+)"?\s+(?!(?:as|from|where|group|order|limit|offset|having|union|returning|for|on|set|and|or|is|in|asc|desc|nulls|then|else|end)\b)[a-z]/gi;

function tablesOfClause(clause: string): string[] {
  const listed = [...clause.matchAll(LIST)].flatMap(([, list = '']) => list.split(','));
  const first = listed.map((item) => /^\s*(?:(?:only|lateral)\s+)*"?(\w+)/i.exec(item)?.[1] ?? '');
  const others = [...clause.matchAll(ONE), ...clause.matchAll(ALIASED)];
  return [...first, ...others.map(([, name = '']) => name)];
}

/** Tables in quotes: `'jobs'::regclass`, `to_regclass('jobs')`, and any quoted name of several words. */
function quotedNames(query: string): string[] {
  const named = query.matchAll(/'(\w+)'\s*::\s*regclass|regclass\s*\(\s*'(\w+)'|'(\w+_\w+)'/gi);
  return [...named].map(([, cast, called, name]) => cast ?? called ?? name ?? '');
}
