import type { User } from '@keepwatch/contract/identity/sessions';
import { APPLICATIONS } from '../entities/applications.ts';
import { userAllows } from '../kit/user-allows.ts';

/** The names of the applications that the user's roles are for. */
export function applicationsOf(user: User): string[] {
  return APPLICATIONS.filter(({ ability }) => userAllows(user, ability)).map(({ name }) => name);
}
