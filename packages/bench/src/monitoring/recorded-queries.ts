import pg from 'pg';

/** A statement as the server sends it. */
export interface RecordedQuery {
  text: string;
  values: unknown[];
}

/**
 * Notes every statement that a connection of the driver sends while `work` runs, through the pool or on a connection of its own: the
 * same SQL can then be timed alone, whatever it is and wherever it is written.
 */
export async function recordQueries(work: () => Promise<unknown>): Promise<RecordedQuery[]> {
  const recorded: RecordedQuery[] = [];
  const { query } = pg.Client.prototype;
  const noted = function (this: pg.Client, ...given: unknown[]): unknown {
    const statement = statementOf(given);
    if (statement !== null) recorded.push(statement);
    return Reflect.apply(query, this, given);
  };
  Object.assign(pg.Client.prototype, { query: noted });
  try {
    await work();
  } finally {
    Object.assign(pg.Client.prototype, { query });
  }
  // The caller is looked up for every call, which is no part of the report.
  return recorded.filter(({ text }) => !/ from (sessions|users)\b/.test(text));
}

/** A statement is given as a text and values, or as an object with both. */
function statementOf([first, second]: readonly unknown[]): RecordedQuery | null {
  if (typeof first === 'string') return { text: first, values: Array.isArray(second) ? second : [] };
  if (typeof first !== 'object' || first === null || !('text' in first) || typeof first.text !== 'string') return null;
  return { text: first.text, values: 'values' in first && Array.isArray(first.values) ? first.values : [] };
}
