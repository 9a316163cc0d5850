import { uid, unit } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** A user of the console, as the published description has it. */
export type User = ReturnType<typeof userOf>;

/** The user all tokens of the sandbox belong to that no `as` grant made. */
export function currentUserUid(world: World): string {
  return uid(world.seed, 310);
}

/** Who signs in for the portal. */
export function currentUser(world: World): User {
  return userOf({
    role: 'PortalAdministrator',
    firstName: 'Ines',
    lastName: 'Harthoorn',
    title: 'Ms',
    email: 'ines.harthoorn@keystone.example',
    instanceUid: currentUserUid(world),
    organizationUid: world.provider.uid,
    userName: 'keystone\\portal',
    status: 'Enabled',
  });
}

/** All users: that one, and of each company its owner and a person who may sign in no longer. */
export function usersOf(world: World): User[] {
  const companyUsers = world.companies.flatMap(({ id, uid: organizationUid, slug, tag, domain }) => {
    const owner = { role: 'CompanyOwner', name: 'owner', status: 'Enabled', salt: 320 } as const;
    const former = { role: 'CompanyLocationUser', name: 'former', status: 'Disabled', salt: 321 } as const;
    return [owner, former].map(({ role, name, status, salt }) =>
      userOf({
        role,
        firstName: unit(id, salt) < 0.5 ? 'Noor' : 'Emil',
        lastName: tag,
        title: 'Unknown',
        email: `${name}@${domain}`,
        instanceUid: uid(id, salt),
        organizationUid,
        userName: `${slug}\\${tag.toLowerCase()}.${name}`,
        status,
      }),
    );
  });
  return [currentUser(world), ...companyUsers];
}

interface Person {
  role: 'CompanyLocationUser' | 'CompanyOwner' | 'PortalAdministrator';
  firstName: string;
  lastName: string;
  title: string;
  email: string;
  instanceUid: string;
  organizationUid: string;
  userName: string;
  status: 'Disabled' | 'Enabled';
}

function userOf({ role, firstName, lastName, title, email, ...rest }: Person) {
  return {
    role,
    profile: { firstName, lastName, title, email, address: null, phone: null },
    ...rest,
    mfaPolicyStatus: 'Disabled',
    mfaPolicyConfigurationStatus: 'NotConfigured',
  };
}

/** Where the people of every second company sign in; the others have only what the console suggests. */
export function loginUrlOf(world: World, organizationUid: string) {
  const company = world.companies.find(({ uid: own }) => own === organizationUid.toLowerCase());
  if (company === undefined) return undefined;
  const isConfigured = company.id % 2 === 0;
  return {
    loginUrl: isConfigured ? `https://backup.${company.domain}/` : null,
    loginUrlIsInherited: false,
    loginUrlSuggestion: isConfigured ? null : `https://${company.slug}.keystone.example/`,
  };
}
