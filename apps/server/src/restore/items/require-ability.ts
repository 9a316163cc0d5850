import type { Ability } from '@keepwatch/contract/abilities';
import type { SessionType } from '@keepwatch/contract/restore/sessions';
import { forbidden } from '../../foundation/errors.ts';
import { may, type SignedInContext } from '../../foundation/http/context.ts';

const ABILITY_OF: Readonly<Record<SessionType, Ability>> = {
  vex: 'o365.restoreOutlook',
  veod: 'o365.restoreOnedrive',
  vesp: 'o365.restoreSharepoint',
  vet: 'o365.restoreTeams',
};

/** Of calls that are of all explorers: a session is of one. @throws 403 */
export function requireAbility({ actor }: SignedInContext, type: SessionType): void {
  if (!may(actor, ABILITY_OF[type])) throw forbidden();
}
