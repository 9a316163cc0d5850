/**
 * Who may do what: one table, used by the server's guard, the router's guard and the menus.
 * An ability is granted if any of the user's roles has it (specification "portal", part 6).
 */
export const ROLES = [
  'admin',
  'read-only',
  'operator',
  'super-admin',
  'o365_admin',
  'restore-operator',
  'sub-sp',
] as const;
export type Role = (typeof ROLES)[number];

const READ_MONITORING = [
  'monitoring.dashboard',
  'monitoring.daily-checks',
  'monitoring.calendar-report',
  'monitoring.spreadsheet-report',
  'monitoring.overview',
  'monitoring.rankings',
  'monitoring.repositories',
  'monitoring.tickets',
  'monitoring.companies-filter',
  'monitoring.reporting',
  'monitoring.report-settings',
] as const;

const ABILITIES_OF_ROLE = {
  admin: [
    'monitoring.dashboard',
    'monitoring.users',
    'common.companies',
    'monitoring.sources',
    'monitoring.reporting',
    'monitoring.report-settings',
    'monitoring.userLogs',
    // The specification names the ability without a role: it goes with the users logs of the monitoring.
    'o365.userLogs',
    'monitoring.trends',
    'monitoring.licensing',
    'monitoring.licensing-export',
    'monitoring.hints',
    'monitoring.invoices',
  ],
  'read-only': READ_MONITORING,
  operator: [...READ_MONITORING, 'monitoring.rules', 'monitoring.job-actions', 'monitoring.trends'],
  'super-admin': [
    'monitoring.reporting',
    'monitoring.report-settings',
    'monitoring.licensing',
    'monitoring.licensing-export',
    'monitoring.userLogs',
    'o365.userLogs',
    'monitoring.trends',
    'monitoring.invoices',
    'admin.dashboard',
    'admin.connectors',
    'admin.brands',
    'admin.backups',
    'admin.settings',
    'o365.subscriptions',
    'o365.subscriptions-export',
    'o365.license-consumption-export',
  ],
  o365_admin: [
    'monitoring.users',
    'o365.users',
    'o365.jobs',
    'o365.organizations',
    'o365.reporting',
    'o365.licensing',
    'o365.repositories',
    'o365.dashboard',
    'o365.restorePortal',
    'o365.restoreOutlook',
    'o365.restoreOnedrive',
    'o365.restoreSharepoint',
    'o365.restoreTeams',
    'o365.consumption',
    'o365.service-level',
    'o365.license-consumption-export',
  ],
  // Sees and restores what restore operator roles allow by name (restore/roles.ts), and nothing without one.
  'restore-operator': [
    'o365.restorePortal',
    'o365.restoreOutlook',
    'o365.restoreOnedrive',
    'o365.restoreSharepoint',
    'o365.restoreTeams',
  ],
  // The specification names the role without abilities: a reseller reads the monitoring of its own companies.
  'sub-sp': [...READ_MONITORING, 'common.companies'],
} as const satisfies Record<Role, readonly string[]>;

export type Ability = (typeof ABILITIES_OF_ROLE)[Role][number];

// Roles have abilities: the list is not empty.
export const ABILITIES = [...new Set<Ability>(Object.values(ABILITIES_OF_ROLE).flat())].sort() as [
  Ability,
  ...Ability[],
];

/** The abilities that any of `roles` grants, by name. */
export function abilitiesOf(roles: readonly string[]): Ability[] {
  return ABILITIES.filter((ability) => allows(roles, ability));
}

/** Whether any of `roles` grants `ability`, or one of several abilities. Unknown roles grant nothing. */
export function allows(roles: readonly string[], ability: Ability | readonly Ability[]): boolean {
  const required: readonly string[] = typeof ability === 'string' ? [ability] : ability;
  return roles.some((role) => isRole(role) && ABILITIES_OF_ROLE[role].some((granted) => required.includes(granted)));
}

/**
 * Whether the roles are for more than restores: banners and live events are about a whole provider. A restore operator sees what a restore
 * operator role shows, and not even that something else changed.
 */
export function seesProvider(roles: readonly string[]): boolean {
  return roles.some((role) => isRole(role) && role !== 'restore-operator');
}

/** Whether a text from outside is the name of a role. */
export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
