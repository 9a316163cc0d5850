import {
  createHint,
  deleteHint,
  editHint,
  HINTS_MAX,
  listFittingRuns,
  listHints,
} from '@keepwatch/contract/watch/hints';
import { change } from '../audit/change.ts';
import { conflict, forbidden } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import type { Scope } from '../foundation/scope.ts';
import { readFittingRuns } from './fitting-runs.ts';
import { findHint, insertHint, readHints, removeHint, updateHint } from './hints.ts';

/** Hints belong to the whole provider, so users who are limited to some companies cannot manage them. */
function wholeProvider({ scope }: SignedInContext): Scope {
  if (scope.companyIds !== null) throw forbidden();
  return scope;
}

/** Open lists of hints, and runs beside which hints are shown, are read again. */
const LIVE = ['hints.changed'] as const;

export const hintCalls: Route[] = [
  answer(listHints, (context, { query }) => readHints(context.database, wholeProvider(context), query)),

  answer(createHint, async (context, { body }) => ({
    data: await change(context, { kind: 'hint' }, async (connection) => {
      const hint = await insertHint(connection, wholeProvider(context), body, context.now());
      if (hint === null) throw conflict(`There are ${HINTS_MAX} hints already. Delete one to add another.`);
      return { result: hint, id: hint._id, after: hint, live: LIVE };
    }),
  })),

  answer(editHint, async (context, { params: { hintId: id }, body }) => ({
    data: await change(context, { kind: 'hint', id }, async (connection) => {
      const scope = wholeProvider(context);
      const before = await findHint(connection, scope, id);
      const after = await updateHint(connection, scope, { ...body, id, at: context.now() });
      return after === null ? null : { result: after, before, after, live: LIVE };
    }),
  })),

  answer(deleteHint, async (context, { params: { hintId: id } }) => {
    await change(context, { kind: 'hint', id }, async (connection) => {
      const scope = wholeProvider(context);
      const before = await findHint(connection, scope, id);
      await removeHint(connection, scope, id);
      return before === null ? null : { result: null, before, live: LIVE };
    });
    return {};
  }),

  answer(listFittingRuns, (context, { query }) =>
    readFittingRuns(context.database, wholeProvider(context), query, context.now()),
  ),
];
