/**
 * The events that the server sends to open browsers: something of this name changed, so that they ask again. A closed list: a browser that
 * waits for a name that is never sent does not compile.
 */
export const LIVE_EVENTS = [
  'executions.changed',
  'fault-viewers.changed',
  'backup-clock.changed',
  'sync.changed',
  'notifications.changed',
  'companies.changed',
  'connections.changed',
  'hints.changed',
  'm365-jobs.changed',
  'm365-repositories.changed',
  /** Heard by the user alone whose account it is. */
  'profile.changed',
] as const;
export type LiveEventName = (typeof LIVE_EVENTS)[number];
