import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { beginsWith, type Named } from '../directory/named.ts';
import { containing } from '../foundation/conditions.ts';
import { organizationOf } from './organizations/organizations.ts';

/** Organizations by either name: `id`, `name`, `company`. */
export function organizationsNamed({ scope, text, limit }: Named): SQL {
  const pattern = containing(text);
  return sql`select o.id, o.name, c.name as company from m365_organizations o ${companyOf('o')}
    where ${scope.rows('o')} and c.id is not null and (o.name ilike ${pattern} or o.office_name ilike ${pattern})
    order by ${beginsWith(sql`o.name`, text)}, o.id limit ${limit}`;
}

/** Jobs of Microsoft 365: `id`, `name`, `company`, `organization`. */
export function m365JobsNamed({ scope, text, limit }: Named): SQL {
  return sql`select j.id, j.name, c.name as company, o.name as organization
    from m365_jobs j ${organizationOf('j')} ${companyOf('o')}
    where ${scope.rows('o')} and c.id is not null and j.name ilike ${containing(text)}
    order by ${beginsWith(sql`j.name`, text)}, j.id limit ${limit}`;
}
