import { BETWEEN_WORDS } from '@keepwatch/engine/engine';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import type { RepositoryKey } from '../repositories/repository-secrets.ts';

/** What lines call the objects that were erased, and nothing else. */
export interface ErasedNames {
  /** As a line begins: `Ada Lovelace: …`. */
  names: readonly string[];
  /** Ids and addresses, in lower case. */
  words: readonly string[];
}

/**
 * Finds how lines name what was erased. A name or address that others of the organization have, too, names them as well, so that it is left
 * out.
 */
export async function namesOf(
  connection: Connection,
  { providerId, id }: RepositoryKey,
  { objects, users }: { objects: readonly string[]; users: readonly string[] },
): Promise<ErasedNames> {
  const chosen = sql`${sql.param(users)}::uuid[]`;
  const isOther = sql`o.provider_id = ${providerId} and o.id <> all(${chosen}) and o.bytes > 0 and o.organization_id = (
    select r.organization_id from m365_repositories r where r.provider_id = ${providerId} and r.id = ${id})`;
  const names = await rows<{ text: string }>(
    connection,
    sql`select t.text from (select unnest(${sql.param(objects)}::text[]) union
          select u.name from m365_protected_users u where u.provider_id = ${providerId} and u.id = any(${chosen})) t (text)
        where t.text <> '' and not exists (select from m365_object_points p
            where p.provider_id = ${providerId} and p.repository_id = ${id} and p.name = t.text)
          and not exists (select from m365_protected_users o where ${isOther} and o.name = t.text)`,
  );
  const words = await rows<{ text: string }>(
    connection,
    sql`select t.text from m365_protected_users u cross join lateral (values (u.object_id), (lower(u.address))) t (text)
        where u.provider_id = ${providerId} and u.id = any(${chosen}) and t.text <> ''
          and not exists (select from m365_protected_users o where ${isOther} and lower(o.address) = t.text)`,
  );
  return { names: names.map(({ text }) => text), words: words.map(({ text }) => text) };
}

/** Whether a text names what was erased: it begins with a name, or one of its words is an id or address. */
export function namesErased({ names, words }: ErasedNames, text: SQL): SQL {
  const part = (place: number) => sql`split_part(${text}, ': ', ${sql.raw(String(place))})`;
  const all = sql`${sql.param(names)}::text[]`;
  return sql`(coalesce(${part(1)} = any(${all}) or ${part(1)} || ': ' || ${part(2)} = any(${all}), false)
    or coalesce(lower(${text}) like any(${sql.param(words.map(within))}::text[]), false)
      and exists (select from regexp_split_to_table(lower(${text}), ${BETWEEN_WORDS.source}) w where rtrim(w, '.,:;!?') = any(${sql.param(words)}::text[])))`;
}

/** A text that has a word anywhere is found far sooner than the words of all texts, of which there are millions. */
const within = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;
