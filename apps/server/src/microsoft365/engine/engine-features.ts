import { type EngineFeature, type EngineKind, hasFeature } from '@keepwatch/contract/microsoft365/engines';
import { Refusal } from '../../foundation/errors.ts';

/** Of which organization something is asked, and what backs it up. */
export interface Engined {
  organizationName: string;
  engine: EngineKind;
}

/** @throws Refusal 409 `NOT_SUPPORTED` where the engine of an organization has not what is asked for: why, and what to do instead */
export function requireFeature({ organizationName, engine }: Engined, feature: EngineFeature): void {
  if (hasFeature(engine, feature)) return;
  throw new Refusal(409, 'NOT_SUPPORTED', `“${organizationName}” is backed up by a Veeam server. ${INSTEAD[feature]}`);
}

const INSTEAD: Readonly<Record<EngineFeature, string>> = {
  connection: 'That server connects it to Microsoft 365: change or remove its connection there.',
  maintenance: 'That server looks after its own repositories: look there whether they are healthy.',
  bucketKeys: 'That server has the keys of its buckets: change them there.',
  proofs: 'This portal proves only backups of its own engine: restore something there to test it.',
  restore: 'This portal opens only backups of its own engine: restore with the explorers of that server.',
};
