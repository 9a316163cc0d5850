import { type Ability, allows } from '@keepwatch/contract/abilities';
import type { SessionType } from '@keepwatch/contract/restore/sessions';
import { forbidden } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';

const ABILITY_OF: Readonly<Record<SessionType, Ability>> = {
  vex: 'o365.restoreOutlook',
  veod: 'o365.restoreOnedrive',
  vesp: 'o365.restoreSharepoint',
  vet: 'o365.restoreTeams',
};

/** Of calls that are of all explorers: a session is of one. @throws 403 */
export function requireAbility({ actor }: SignedInContext, type: SessionType): void {
  if (!allows(actor.roles, ABILITY_OF[type])) throw forbidden();
}
