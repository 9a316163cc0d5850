import { BehaviourError, readBehaviours } from './behaviours/behaviours.ts';
import { documentedLimits, type ResourceLimits } from './drives/resource-budget.ts';
import { TenantFaultError } from './faults/fault.ts';
import type { Tenant } from './tenant.ts';
import { isObject, numberOf } from './wire/json.ts';

/**
 * Changes the settings of running tenants: `concealsNames` (reports give hashes for names) and `resourceUnits`
 * (`"documented"`, `{ perMinute, perDay }`, or `null` for no limits on files and sites), `hasMailboxTransfer` (export and
 * import of mailboxes), `deniesConsent` (delegated scopes need a consent on record), `replicationAttempts` (attempts for which
 * a created application is not found yet), `behaviours` (switches by name).
 * @throws TenantFaultError that says what would be right
 */
export function applySettings(tenants: Iterable<Tenant>, body: unknown): void {
  if (!isObject(body)) throw new TenantFaultError('Settings must be an object');
  const { concealsNames, resourceUnits, hasMailboxTransfer, deniesConsent } = body;
  const replicationAttempts = numberOf(body['replicationAttempts']);
  const limits = resourceUnits === undefined ? undefined : readLimits(resourceUnits);
  const behaviours = readGiven(body['behaviours']);
  for (const tenant of tenants) {
    Object.assign(tenant.behaviours, behaviours);
    if (typeof concealsNames === 'boolean') tenant.reports.concealsNames = concealsNames;
    if (typeof hasMailboxTransfer === 'boolean') tenant.hasMailboxTransfer = hasMailboxTransfer;
    if (typeof deniesConsent === 'boolean') tenant.deniesConsent = deniesConsent;
    if (replicationAttempts !== undefined) tenant.applications.replicationAttempts = replicationAttempts;
    if (resourceUnits !== undefined) tenant.drives.budget.limit(limits);
  }
}

function readGiven(behaviours: unknown) {
  try {
    return behaviours === undefined ? {} : readBehaviours(behaviours);
  } catch (error) {
    throw error instanceof BehaviourError ? new TenantFaultError(error.message) : error;
  }
}

function readLimits(value: unknown): ResourceLimits | undefined {
  if (value === null) return undefined;
  if (value === 'documented') return documentedLimits;
  const [perMinute, perDay] = isObject(value) ? [numberOf(value['perMinute']), numberOf(value['perDay'])] : [];
  if (perMinute !== undefined && perDay !== undefined) return { perMinute, perDay };
  throw new TenantFaultError('resourceUnits must be "documented", { perMinute, perDay } or null');
}
