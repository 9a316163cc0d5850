import { describe, expect, it } from 'vitest';
import { type Ability, abilitiesOf, ROLES, type Role } from './abilities.ts';

/** The matrix as the specification "portal", part 6, has it, role by role. */
const READ_ONLY: readonly Ability[] = [
  'monitoring.spreadsheet-report',
  'monitoring.overview',
  'monitoring.tickets',
  'monitoring.repositories',
  'monitoring.companies-filter',
  'monitoring.rankings',
  'monitoring.dashboard',
  'monitoring.daily-checks',
  'monitoring.calendar-report',
  'monitoring.reporting',
  'monitoring.report-settings',
];
const SPECIFIED: Readonly<Partial<Record<Role, readonly Ability[]>>> = {
  admin: [
    'monitoring.dashboard',
    'monitoring.users',
    'common.companies',
    'monitoring.reporting',
    'monitoring.report-settings',
    'monitoring.userLogs',
    'monitoring.trends',
    'monitoring.licensing',
    'monitoring.licensing-export',
    'monitoring.hints',
    'monitoring.invoices',
  ],
  'read-only': READ_ONLY,
  operator: [...READ_ONLY, 'monitoring.rules', 'monitoring.job-actions', 'monitoring.trends'],
  'super-admin': [
    'monitoring.reporting',
    'monitoring.report-settings',
    'monitoring.licensing',
    'monitoring.licensing-export',
    'monitoring.userLogs',
    'monitoring.trends',
    'admin.dashboard',
    'o365.subscriptions',
    'o365.subscriptions-export',
    'monitoring.invoices',
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
};

/** What is granted beyond it, each with its reason in docs/decisions/0006. */
const BEYOND: Readonly<Record<Role, readonly Ability[]>> = {
  admin: ['monitoring.sources', 'o365.userLogs'],
  'read-only': [],
  operator: [],
  'super-admin': ['o365.userLogs', 'admin.backups', 'admin.brands', 'admin.connectors', 'admin.settings'],
  o365_admin: [],
  'restore-operator': [
    'o365.restorePortal',
    'o365.restoreOutlook',
    'o365.restoreOnedrive',
    'o365.restoreSharepoint',
    'o365.restoreTeams',
  ],
  'sub-sp': [...READ_ONLY, 'common.companies'],
};

describe('the abilities of each role', () => {
  it.each(ROLES)('%s has what the specification names, and what is named here beyond it', (role) => {
    expect(abilitiesOf([role])).toEqual([...(SPECIFIED[role] ?? []), ...BEYOND[role]].toSorted());
  });
});
