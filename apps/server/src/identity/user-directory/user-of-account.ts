import type { DirectoryAccount } from '@keepwatch/connectors/ports/user-directory';
import { isRole } from '@keepwatch/contract/abilities';
import type { DirectoryUser } from '../../directory/directory-users.ts';

/** What the portal stores of an account of a directory. */
export function userOf({ id: account, email, roles, ...rest }: DirectoryAccount): DirectoryUser {
  return { account, ...rest, email: email ?? '', roles: roles.filter(isRole) };
}
