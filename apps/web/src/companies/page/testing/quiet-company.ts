import { listCompanyContacts } from '@keepwatch/contract/companies/company-contacts';
import { listCompanyNotes } from '@keepwatch/contract/companies/company-notes';
import { listUsersToNotify } from '@keepwatch/contract/directory/users';
import { listFaults } from '@keepwatch/contract/faults/faults';
import { getSpreadsheetReport } from '@keepwatch/contract/insights/calendar';
import { type Changes, getChanges } from '@keepwatch/contract/insights/changes';
import { getComputersStatus, listComputers } from '@keepwatch/contract/inventory/computers';
import { listRepositories } from '@keepwatch/contract/inventory/repositories';
import { listOrganizations } from '@keepwatch/contract/microsoft365/organizations';
import { type Answers, createAnswers } from '../../../testing/answers.ts';
import { buildChanges } from '../../../testing/builders.ts';

const NONE = { success: true as const, count: 0, data: [] };
const STATUS = { total: 0, withAgent: 0, withoutAgent: 0, offline: 0, ignored: 0 };

/** The answer to what changed, with these sources that stopped. */
export const stoppedSources = (stopped: Changes['stoppedSources']) => ({
  success: true as const,
  data: buildChanges({ stoppedSources: stopped }),
});

/** A server with nothing in any part of a company's page. */
export function quietCompany(answers: Answers = createAnswers()): Answers {
  return answers
    .on(listFaults, NONE)
    .on(getChanges, stoppedSources([]))
    .on(getSpreadsheetReport, ({ query: { from } }) => ({ ...NONE, firstDay: from.slice(0, 10), recountedFrom: null }))
    .on(listRepositories, NONE)
    .on(listComputers, NONE)
    .on(getComputersStatus, { success: true, data: STATUS })
    .on(listOrganizations, NONE)
    .on(listCompanyNotes, NONE)
    .on(listCompanyContacts, { success: true, data: [] })
    .on(listUsersToNotify, { success: true, count: 0, users: [] });
}
