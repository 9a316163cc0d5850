import type { Ability } from '@keepwatch/contract/abilities';
import type { User } from '@keepwatch/contract/identity/sessions';
import { userAllows } from '../kit/portal.tsx';

/** The applications (specification "portal", part 1), each with the ability to open its dashboard. */
const APPLICATIONS: readonly { name: string; ability: Ability }[] = [
  { name: 'Monitoring', ability: 'monitoring.dashboard' },
  { name: 'Microsoft 365', ability: 'o365.dashboard' },
  { name: 'Administration', ability: 'admin.dashboard' },
];

/** The names of the applications that the user's roles are for. */
export function applicationsOf(user: User): string[] {
  return APPLICATIONS.filter(({ ability }) => userAllows(user, ability)).map(({ name }) => name);
}
