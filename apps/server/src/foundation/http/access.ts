import type { Call } from '@keepwatch/contract/wire/call';
import { forbidden, newPasswordFirst, notFound, Refusal, secondFactorFirst } from '../errors.ts';
import { type Actor, may } from './context.ts';

/** Throws the 403 that says why this caller may not make a call that is not public. */
export function admit(actor: Actor, { access, needs, after }: Pick<Call, 'access' | 'needs' | 'after'>): void {
  if (actor.key !== null && (access === 'signed-in' || needs !== undefined)) throw sessionRequired();
  if (needs === 'own-session') requireOwnSession(actor);
  if (access === 'public') return;
  const comesAfter = access === 'signed-in' ? after : 'second-factor';
  if (comesAfter !== undefined && actor.mustChangePassword) throw newPasswordFirst();
  if (comesAfter === 'second-factor' && actor.mustEnrol) throw secondFactorFirst();
  if (access !== 'signed-in' && !may(actor, access)) throw forbidden();
}

/** Throws 404 for the profile of another user, which is answered as if it did not exist. */
export function requireOwn({ userId }: Actor, id: string): void {
  if (id.toLowerCase() !== userId) throw notFound('profile');
}

/** Whether a user is who asks, or the administrator who does so as another user: what is refused for the own account is not done by acting as a peer. */
export function isWhoAsks({ userId, impersonator }: Actor, id: string): boolean {
  return id === userId || id === impersonator?.userId;
}

/** Throws 403 for an administrator who acts as another user. */
export function requireOwnSession({ impersonator, username }: Actor): void {
  if (impersonator === null) return;
  const message = `You act as ${username}, whose password, e-mail, second factors, sessions and keys only that user changes, and who alone accepts terms of use. Exit first.`;
  throw new Refusal(403, 'OWN_SESSION_REQUIRED', message);
}

function sessionRequired(): Refusal {
  return new Refusal(403, 'SESSION_REQUIRED', 'This cannot be done with an API key. Sign in to do it.');
}
