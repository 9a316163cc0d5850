import type { Application } from '../kit/place.ts';

/** The applications (specification "portal", part 1), each with the ability to open its dashboard. */
export const monitoring: Application = {
  path: '/monitoring',
  name: 'Monitoring',
  ability: 'monitoring.dashboard',
  landing: '/monitoring/dashboard',
};

/** Closed as a whole to all without its role, who are led to the monitoring (specification "portal", part 2). */
export const o365: Application = {
  path: '/o365',
  name: 'Microsoft 365',
  ability: 'o365.dashboard',
  landing: '/o365/organizations',
  admits: ({ acl }) => acl.some(({ role }) => role === 'o365_admin' || role === 'restore-operator'),
};

export const admin: Application = { path: '/admin', name: 'Administration', ability: 'admin.dashboard' };

export const APPLICATIONS: readonly Application[] = [monitoring, o365, admin];

/** `/o365/jobs` is of Microsoft 365, whether there is a screen or not; `/login` is of none. */
export function applicationOf(path: string): Application | undefined {
  return APPLICATIONS.find((application) => path === application.path || path.startsWith(`${application.path}/`));
}
