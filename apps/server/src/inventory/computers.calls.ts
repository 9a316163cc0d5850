import {
  getComputersStatus,
  ignoreComputer,
  listComputers,
  listUnprotectedCompanies,
  noteComputer,
  unignoreComputer,
} from '@keepwatch/contract/inventory/computers';
import { change } from '../audit/change.ts';
import type { ChangingContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import {
  type ComputerMark,
  listCompaniesWithoutAgents,
  listFoundComputers,
  markComputer,
  readComputersStatus,
} from './computers.ts';

export const computerCalls: Route[] = [
  answer(listComputers, ({ database, scope }, { query }) => listFoundComputers(database, scope, query)),

  answer(listUnprotectedCompanies, ({ database, scope }, { query }) =>
    listCompaniesWithoutAgents(database, scope, query),
  ),

  answer(getComputersStatus, async ({ database, scope }, { query }) => ({
    data: await readComputersStatus(database, scope, query.companyIds),
  })),

  answer(ignoreComputer, (context, { params }) => marked(context, params.id, { ignoredAt: context.now() })),
  answer(unignoreComputer, (context, { params }) => marked(context, params.id, { ignoredAt: null })),
  answer(noteComputer, (context, { params, body }) =>
    marked(context, params.id, { note: body.note.trim() === '' ? null : body.note }),
  ),
];

async function marked(context: ChangingContext, id: string, after: ComputerMark): Promise<object> {
  await change(context, { kind: 'computer', id }, async (connection) => {
    const before = await markComputer(connection, context.scope, id, after);
    return before === null ? null : { result: null, before, after };
  });
  return {};
}
