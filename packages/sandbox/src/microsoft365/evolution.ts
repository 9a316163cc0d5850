import { evolveChats } from './chats/fill-chats.ts';
import { evolveThreads } from './conversations/fill-threads.ts';
import { evolveDirectory } from './directory/evolve-directory.ts';
import { evolveDrives } from './drives/evolve-drives.ts';
import { evolveMailboxes } from './mailbox/evolve-mailboxes.ts';
import { evolvePlanner } from './planner/fill-planner.ts';
import { evolveSites } from './sites/evolve-sites.ts';
import { evolveTeams } from './teams/fill-teams.ts';
import type { Tenant } from './tenant.ts';

/** One change somewhere in its part of the world; the same tenant and step give the same change. */
export type Evolve = (tenant: Tenant, step: number) => void;

/** Every part that changes over time; the steps of the tenant go to them in turn. */
export const evolutions: readonly Evolve[] = [
  evolveMailboxes,
  evolveDirectory,
  evolveDrives,
  evolveSites,
  evolveTeams,
  evolveChats,
  evolveThreads,
  evolvePlanner,
];

/** Advances a tenant by so many steps, from the step it had reached. */
export function evolve(tenant: Tenant, firstStep: number, steps: number): void {
  for (let step = firstStep; step < firstStep + steps; step += 1) {
    const change = evolutions[step % Math.max(1, evolutions.length)];
    change?.(tenant, Math.floor(step / evolutions.length));
  }
}
