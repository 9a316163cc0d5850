import { mix, pick, uid, unit } from '../../world/random.ts';
import type { Tenant } from '../tenant.ts';
import { blankUser } from './build-directory.ts';
import { jobTitles, people } from './person-names.ts';
import { officeE3 } from './products.ts';

/** Changes one thing in the directory: a user is added, changes jobs, is blocked, joins or leaves a group. */
export function evolveDirectory(tenant: Tenant, step: number): void {
  const { directory, seed } = tenant;
  const members = directory.users.filter(({ mailbox, userType }) => mailbox && userType === 'Member');
  const user = members[mix(seed, step, 821) % Math.max(1, members.length)];
  const chance = unit(seed, step, 822);
  if (chance < 0.2 || !user) {
    join(tenant, step);
  } else if (chance < 0.6) {
    directory.putUser({ ...user, jobTitle: pick(jobTitles, seed, step, 823) });
  } else if (chance < 0.7) {
    directory.putUser({ ...user, accountEnabled: !user.accountEnabled });
  } else {
    changeMembership(tenant, step, user.id);
  }
}

function join(tenant: Tenant, step: number): void {
  const [givenName, surname, usageLocation, preferredLanguage, latin] = pick(people, tenant.seed, step, 824);
  tenant.directory.putUser({
    ...blankUser(tenant, uid(tenant.seed, step, 825), `${latin}.${step}`, `${givenName} ${surname}`),
    givenName,
    surname,
    usageLocation,
    preferredLanguage,
    createdMs: tenant.nowMs(),
    skuIds: [officeE3.skuId],
    mailbox: { purpose: 'user', timeZone: 'UTC', hasArchive: false },
  });
}

function changeMembership({ directory, seed }: Tenant, step: number, userId: string): void {
  const { groups } = directory;
  const group = groups[mix(seed, step, 826) % Math.max(1, groups.length)];
  if (!group) return;
  const isMember = group.memberIds.includes(userId);
  const memberIds = isMember ? group.memberIds.filter((id) => id !== userId) : [...group.memberIds, userId];
  directory.putGroup({ ...group, memberIds });
}
