import type { Ports } from '@keepwatch/connectors/ports/ports';

/** The port of the consoles that report companies, jobs and runs. */
export const CONSOLE_PORT = 'backup-source' satisfies keyof Ports;

/** The port of consoles that know companies, and report no jobs. */
export const TENANT_PORT = 'tenant-console' satisfies keyof Ports;

/** The ports of all consoles, those that report first. */
export const CONSOLE_PORTS = [CONSOLE_PORT, TENANT_PORT] as const;

/** Ports whose connections have a screen and alarms of their own, in the capability that uses them. */
const MANAGED_ELSEWHERE: readonly (keyof Ports)[] = [CONSOLE_PORT];

/** Whether connections of a port are created, changed and watched here. */
export function isManagedHere(port: string): boolean {
  return !MANAGED_ELSEWHERE.some((other) => other === port);
}
