import { createHint, HINTS_MAX, listHints } from '@keepwatch/contract/watch/hints';
import { change } from '../audit/change.ts';
import { conflict, forbidden } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import type { Scope } from '../foundation/scope.ts';
import { insertHint, readHints } from './hints.ts';

/** Hints belong to the whole provider, so users who are limited to some companies cannot manage them. */
function wholeProvider({ scope }: SignedInContext): Scope {
  if (scope.companyIds !== null) throw forbidden();
  return scope;
}

export const hintCalls: Route[] = [
  answer(listHints, (context, { query }) => readHints(context.database, wholeProvider(context), query)),

  answer(createHint, async (context, { body }) => ({
    data: await change(context, { kind: 'hint' }, async (connection) => {
      const hint = await insertHint(connection, wholeProvider(context), body, context.now());
      if (hint === null) throw conflict(`There are ${HINTS_MAX} hints already. Delete one to add another.`);
      return { result: hint, id: hint._id, after: hint };
    }),
  })),
];
