import type { Ports } from '@keepwatch/connectors/ports/ports';

/** The port of the consoles that report companies, jobs and runs. */
export const CONSOLE_PORT = 'backup-source' satisfies keyof Ports;

/** Ports whose connections have a screen and alarms of their own, in the capability that uses them. */
const MANAGED_ELSEWHERE: readonly (keyof Ports)[] = [CONSOLE_PORT];

/** Whether connections of a port are created, changed and watched here. */
export function isManagedHere(port: string): boolean {
  return !MANAGED_ELSEWHERE.some((other) => other === port);
}
