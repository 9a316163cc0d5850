import { mix } from '../../world/random.ts';
import type { Tenant } from '../tenant.ts';

/** Changes one list: adds, changes or deletes a row. */
export function evolveSites(tenant: Tenant, step: number): void {
  const { seed } = tenant;
  const lists = tenant.sites
    .all()
    .flatMap(({ lists: own }) => [...own.values()])
    .filter(({ drive, facts }) => !drive && !facts.isSystem);
  const list = lists[mix(seed, step, 851) % Math.max(1, lists.length)];
  if (!list) return;
  const people = tenant.drives.people.users();
  const person = people[mix(seed, step, 852) % Math.max(1, people.length)];
  const by = { user: { id: person?.id ?? '', displayName: person?.displayName ?? '' } };
  const edit = { by, atMs: tenant.nowMs() };
  const { items } = list;
  const row = items[mix(seed, step, 853) % Math.max(1, items.length)];
  if (!row || step % 3 === 0) list.add({ Title: `Row of step ${step}` }, edit);
  else if (step % 3 === 1) list.update(row, { Title: `Changed in step ${step}` }, edit);
  else list.remove(row);
}
