import {
  getComputersStatus,
  ignoreComputer,
  listComputers,
  noteComputer,
  unignoreComputer,
} from '@keepwatch/contract/inventory/computers';
import { record } from '../audit/audit.ts';
import { transaction } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { type ComputerMark, listFoundComputers, markComputer, readComputersStatus } from './computers.ts';

export const computerCalls: Route[] = [
  answer(listComputers, ({ database, scope }, { query }) => listFoundComputers(database, scope, query)),

  answer(getComputersStatus, async ({ database, scope }, { query }) => ({
    data: await readComputersStatus(database, scope, query.companyIds),
  })),

  answer(ignoreComputer, (context, { params }) => marked(context, params.id, { ignoredAt: context.now() })),
  answer(unignoreComputer, (context, { params }) => marked(context, params.id, { ignoredAt: null })),
  answer(noteComputer, (context, { params, body }) =>
    marked(context, params.id, { note: body.note.trim() === '' ? null : body.note }),
  ),
];

async function marked(context: SignedInContext, id: string, after: ComputerMark): Promise<object> {
  await transaction(context.database, async (connection) => {
    const before = await markComputer(connection, context.scope, id, after);
    if (before === null) throw notFound('computer');
    const action = 'note' in after ? 'computer.note' : 'computer.ignore';
    await record(connection, context, { action, target: { kind: 'computer', id }, before, after });
  });
  return {};
}
