import { type SQL, sql } from 'drizzle-orm';

/**
 * A column of many rows as one parameter: `{a,b,NULL}`. Written by hand because the driver looks at every value for
 * something to escape, which in batches of thousands takes longer than the query; so for values that need no escaping only:
 * ids, numbers, instants, days, words of ours.
 */
export function plainArray(values: Iterable<string | number | null>, type: PlainType): SQL {
  const texts: (string | number)[] = [];
  for (const value of values) texts.push(value ?? 'NULL');
  return sql`${`{${texts.join()}}`}::${sql.raw(type)}[]`;
}

type PlainType =
  | 'uuid'
  | 'int'
  | 'bigint'
  | 'timestamptz'
  | 'date'
  | 'execution_result'
  | 'execution_state'
  | 'data_source_group';

/** An instant as PostgreSQL reads it; `null` stays. */
export function instantText(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
