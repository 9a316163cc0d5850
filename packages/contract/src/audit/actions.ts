/**
 * Everything that the audit log can contain, with the text that people read in the log. A changing call names its action in its
 * declaration; those at the end are recorded outside a declared change. Stored entries refer to these names: none is ever renamed.
 */
export const AUDIT_ACTIONS = {
  'company.create': 'Company added',
  'company.delete': 'Company deleted',
  'company.edit': 'Company changed',
  'company.export': 'Companies exported',
  'company.restore': 'Deleted company restored',
  'computer.ignore': 'Computer ignored',
  'computer.note': 'Note of a computer changed',
  'computer.unignore': 'Computer unignored',
  'connection.check': 'Connection tested',
  'connection.create': 'Outside system connected',
  'connection.delete': 'Outside system disconnected',
  'connection.edit': 'Connection changed',
  'hint.create': 'Hint added',
  'hint.delete': 'Hint deleted',
  'hint.edit': 'Hint changed',
  'intake-token.create': 'Intake token created',
  'intake-token.delete': 'Intake token deleted',
  'job-execution.assign': 'Runs assigned to a job',
  'job-execution.edit': 'Run changed',
  'job-execution.edit-many': 'Several runs changed',
  'job-execution.export': 'Runs exported',
  'job.ignore-didnt-run': 'Job ignored in "didn\'t run"',
  'job.ignore-disabled': 'Job ignored in the disabled jobs',
  'job.unignore-didnt-run': 'Job unignored in "didn\'t run"',
  'job.unignore-disabled': 'Job unignored in the disabled jobs',
  'notification.acknowledge': 'Notification acknowledged',
  'profile.edit': 'Profile changed',
  'session.sign-out': 'Signed out',
  'source.create': 'Source connected',
  'source.delete': 'Source disconnected',
  'source.edit': 'Source changed',
  'sync.start': 'Sync started',
  'user-log.export': 'Users logs exported',
  'user.create-first': 'First account created',
  'user.export': 'Users exported',

  'session.refused': 'Sign-in refused',
  'session.sign-in': 'Signed in',
} as const satisfies Readonly<Record<`${string}.${string}`, string>>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
