import type { ComparedItem as ComparedRow } from '@keepwatch/contract/restore/versions';
import { invalid, notFound } from '../../foundation/errors.ts';
import { comparedObjects } from './compared-objects.ts';
import { partsOf } from './compared-parts.ts';
import type { ComparedPage, ComparedPart, Comparison, Sessions } from './comparison.ts';

/** Where a comparison goes on: in which of its parts, and behind which row of it. */
const CURSOR = /^(\d{1,4}) (.*)$/s;

/** Compares what is in one place at two restore points. A site and a team have libraries, which are objects of their own: one part comes after another. */
export async function compareSessions(
  sessions: Sessions,
  { objectId, parentId, types, change, limit, after: given }: Comparison,
  gone: AbortSignal,
): Promise<{ name: string; page: ComparedPage }> {
  const { opened, other } = sessions;
  if (opened.organization.id !== other.organization.id) throw notFound('restore session');
  const { name, parts } =
    objectId === undefined
      ? { name: opened.organization.name, parts: [comparedObjects(sessions)] }
      : await partsOf(sessions, { objectId, parentId, types });
  const [, at = '0', cursor = ''] = CURSOR.exec(given ?? '0 ') ?? refuse();
  const data: ComparedRow[] = [];
  let after = cursor;
  for (let place = Number(at); place < parts.length; place += 1) {
    const part: ComparedPart = parts[place] ?? refuse();
    const page = await part({ change, limit: limit - data.length, after: after === '' ? undefined : after }, gone);
    data.push(...page.data);
    // A page that found little may be short all the same: the next one goes on.
    if (page._next !== null) return { name, page: { data, _next: `${place} ${page._next}` } };
    after = '';
    if (data.length >= limit && place + 1 < parts.length) return { name, page: { data, _next: `${place + 1} ` } };
  }
  return { name, page: { data, _next: null } };
}

function refuse(): never {
  throw invalid([{ path: 'query.after', message: 'must be the _next of the page before' }]);
}
