import { type SQL, sql } from 'drizzle-orm';
import { containing, every } from '../foundation/conditions.ts';
import type { Scope } from '../foundation/scope.ts';
import { companiesWithin } from './companies.ts';
import { USERS_WITH_REACH, usersWithin } from './listed-users.ts';

/** What a search asks: rows within reach whose name has the text in it, those first that begin with it. */
export interface Named {
  scope: Scope;
  text: string;
  limit: number;
}

/** Puts rows first whose name begins with the text. */
export function beginsWith(name: SQL, text: string): SQL {
  return sql`${name} ilike ${containing(text).slice(1)} desc, lower(${name})`;
}

/** Companies: `id`, `name`. */
export function companiesNamed({ scope, text, limit }: Named): SQL {
  return sql`select c.id, c.name from companies c where ${every(companiesWithin(scope, text))}
    order by ${beginsWith(sql`c.name`, text)}, c.id limit ${limit}`;
}

/** Users by name, user name or address: `id`, `name`, `username`. */
export function usersNamed({ scope, text, limit }: Named): SQL {
  const pattern = containing(text);
  const isNamed = sql`(u.name ilike ${pattern} or u.username ilike ${pattern} or u.email ilike ${pattern})`;
  return sql`select u.id, u.name, u.username from ${USERS_WITH_REACH} where ${every([isNamed, ...usersWithin(scope)])}
    order by ${beginsWith(sql`u.name`, text)}, u.id limit ${limit}`;
}
