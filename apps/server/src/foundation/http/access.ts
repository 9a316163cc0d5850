import type { Call } from '@keepwatch/contract/wire/call';
import { forbidden, newPasswordFirst, notFound, Refusal, secondFactorFirst } from '../errors.ts';
import { type Actor, may } from './context.ts';

/** Throws the 403 that says why this caller may not make a call that is not public. */
export function admit(actor: Actor, { access, needs }: Pick<Call, 'access' | 'needs'>): void {
  if (actor.key !== null && (access === 'signed-in' || needs !== undefined)) throw sessionRequired();
  if (actor.impersonator !== null && needs === 'own-session') throw ownSessionRequired(actor);
  if (access === 'signed-in' || access === 'public') return;
  if (actor.mustChangePassword) throw newPasswordFirst();
  if (actor.mustEnrol) throw secondFactorFirst();
  if (!may(actor, access)) throw forbidden();
}

/** Throws 404 for the profile of another user, which is answered as if it did not exist. */
export function requireOwn({ userId }: Actor, id: string): void {
  if (id.toLowerCase() !== userId) throw notFound('profile');
}

function sessionRequired(): Refusal {
  return new Refusal(403, 'SESSION_REQUIRED', 'This cannot be done with an API key. Sign in to do it.');
}

function ownSessionRequired({ username }: Actor): Refusal {
  const message = `You act as ${username}, whose password, second factors, sessions and keys only that user changes. Exit first.`;
  return new Refusal(403, 'OWN_SESSION_REQUIRED', message);
}
