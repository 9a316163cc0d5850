import type { Ports } from '@keepwatch/connectors/ports/ports';

/** Ports whose connections have a screen and alarms of their own, in the capability that uses them. */
const MANAGED_ELSEWHERE: readonly (keyof Ports)[] = ['backup-source'];

/** Whether connections of a port are created, changed and watched here. */
export function isManagedHere(port: string): boolean {
  return !MANAGED_ELSEWHERE.some((other) => other === port);
}
