import type { Hit } from '@keepwatch/contract/search/search';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { beginsWith, type Named } from '../directory/named.ts';
import { STILL_THERE } from '../executions/job-status.ts';
import { JOB_NAME } from '../executions/shared-jobs.ts';
import { containing, every } from '../foundation/conditions.ts';
import { type Pool, rows, transaction } from '../foundation/database.ts';
import { JOBS } from '../runs/jobs.ts';

/** Jobs that are looked through one by one. A text that many have is found among them, where the index would give a million. */
const LOOKED_THROUGH = 2_000;
/** Jobs of single companies that are looked through: the index has those of the whole provider. */
const OF_COMPANIES_MAX = 20_000;
/** Jobs of the index of which those that begin with the text come first. */
const OF_INDEX_MAX = 60;

/** The words of a job's name (alias `j`), and its provider: exactly the expression of the index `jobs_words`. */
const WORDS = sql`to_tsvector('simple',
  'provider' || j.provider_id || ' ' || translate(j.name, '!"#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~', repeat(' ', 32)))`;

/**
 * The index is used whatever the planner expects: it believes that jobs with a rare word are soon met with, and would look at all of a
 * million for one that none has.
 */
export const JOBS_BY_INDEX = 'SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off';

/** Finds jobs by name: by any part among the first ones, by beginnings of words among all. */
export async function findJobs(pool: Pool, named: Named): Promise<Hit[]> {
  const words = wordsOf(named.text);
  if (words.length === 0) return [];
  const first = await rows<Hit>(pool, jobsByPartsQuery(named, words));
  if (first.length === named.limit || named.scope.companyIds !== null) return first;
  const all = await transaction(
    pool,
    (connection) => rows<Hit>(connection, jobsByWordsQuery(named, words)),
    JOBS_BY_INDEX,
  );
  const byId = new Map([...first, ...all].map((hit) => [hit._id, hit]));
  return [...byId.values()].slice(0, named.limit);
}

/** Looks through the first jobs of a provider, or of single companies. */
function jobsByPartsQuery(named: Named, words: readonly string[]): SQL {
  const { scope } = named;
  const bound = sql`limit ${scope.companyIds === null ? LOOKED_THROUGH : OF_COMPANIES_MAX}`;
  const isNamed = every(words.map((word) => sql`j.name ilike ${containing(word)}`));
  return hitsQuery(
    named,
    sql`select * from (select j.* from ${JOBS} j where ${scope.rows('j')} and ${STILL_THERE} ${bound}) j where ${isNamed}`,
  );
}

/** Asks the index alone: `offset 0` keeps conditions out that another index would seem to fit. */
export function jobsByWordsQuery(named: Named, words: readonly string[]): SQL {
  const { scope } = named;
  const asked = [`provider${scope.providerId}`, ...words.map((word) => `${word}:*`)].join(' & ');
  return hitsQuery(
    named,
    sql`select * from (select j.* from ${JOBS} j where ${WORDS} @@ to_tsquery('simple', ${asked}) offset 0) j
      where ${scope.rows('j')} and ${STILL_THERE} limit ${OF_INDEX_MAX}`,
  );
}

function hitsQuery({ text, limit }: Named, found: SQL): SQL {
  return sql`select 'job' as kind, j.job_instance_uid as "_id", ${JOB_NAME} as name, c.name as "companyName", null as detail
    from (${found}) j ${companyOf('j')} order by ${beginsWith(sql`j.name`, text)}, c.name, j.job_instance_uid limit ${limit}`;
}

/** Words of letters and digits alone, so that none of them means something to the search; a name has few. */
function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 8);
}
