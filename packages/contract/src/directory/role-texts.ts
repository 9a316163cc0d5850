import type { Role } from '../abilities.ts';

/** The roles as people read them. Apart from the calls of users: every page shows the role of its user. */
export const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  admin: 'Admin',
  'read-only': 'Read-only',
  operator: 'Operator',
  'super-admin': 'Super admin',
  o365_admin: 'Microsoft 365 admin',
  'restore-operator': 'Restore operator',
  'sub-sp': 'Reseller',
};
