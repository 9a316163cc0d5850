/** A user of the directory whom Microsoft licenses. */
export interface Person {
  /** At Microsoft, in lower case. */
  id: string;
  name: string;
  address: string | null;
}

type Entity = Readonly<Record<string, unknown>>;

/** Services whose plans give a mailbox, or a OneDrive. */
const SERVICES: ReadonlySet<string> = new Set(['exchange', 'sharepoint']);

/**
 * Returns the people among users of the directory: those with a plan in force that gives something to back up. Guests, shared
 * mailboxes and accounts of administration have none.
 */
export function licensedPeople(users: readonly Entity[]): Person[] {
  return users.filter(isLicensed).flatMap((user) => {
    const id = textOf(user['id'])?.toLowerCase();
    if (id === undefined) return [];
    const address = textOf(user['mail']) ?? textOf(user['userPrincipalName']) ?? null;
    return [{ id, name: textOf(user['displayName']) ?? address ?? id, address }];
  });
}

function isLicensed(user: Entity): boolean {
  const plans = user['assignedPlans'];
  return user['userType'] !== 'Guest' && Array.isArray(plans) && plans.some(isInForce);
}

function isInForce(plan: unknown): boolean {
  if (typeof plan !== 'object' || plan === null || !('service' in plan) || !('capabilityStatus' in plan)) return false;
  const { service, capabilityStatus } = plan;
  return capabilityStatus === 'Enabled' && typeof service === 'string' && SERVICES.has(service.toLowerCase());
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
