import { listHints } from '@keepwatch/contract/watch/hints';
import { forbidden } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import type { Scope } from '../foundation/scope.ts';
import { readHints } from './hints.ts';

/** Hints belong to the whole provider, so users who are limited to some companies cannot manage them. */
function wholeProvider({ scope }: SignedInContext): Scope {
  if (scope.companyIds !== null) throw forbidden();
  return scope;
}

export const hintCalls: Route[] = [
  answer(listHints, (context, { query }) => readHints(context.database, wholeProvider(context), query)),
];
