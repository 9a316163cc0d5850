import { editFaults, type FaultFilter, getFault, listCauses, listFaults } from '@keepwatch/contract/faults/faults';
import { closeFault, listFaultViewers, openFault } from '@keepwatch/contract/faults/viewers';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { rangeOrLastDays } from '../runs/report-range.ts';
import { listCauses as readCauses } from './cause-list.ts';
import { editFaults as changeFaults } from './edit-faults.ts';
import { findFault } from './fault-detail.ts';
import type { ChosenFaults } from './fault-filter.ts';
import { listFaults as readFaults } from './fault-list.ts';
import { closeFault as close, listViewers, openFault as open } from './fault-viewers.ts';

const DAYS_DEFAULT = 2;

interface Asked {
  from?: string | undefined;
  to?: string | undefined;
  filter: FaultFilter;
}

function chosenBy({ from, to, filter }: Asked, now: Date): ChosenFaults {
  const isRangeAsked = from !== undefined || to !== undefined;
  return { filter, range: rangeOrLastDays({ from, to }, now, DAYS_DEFAULT), isRangeAsked };
}

export const faultCalls: Route[] = [
  answer(listFaults, ({ database, scope, now }, { query }) => {
    const { limit, offset, sort } = query;
    return readFaults(database, scope, { ...chosenBy(query, now()), limit, offset, sort, now: now() });
  }),

  answer(listCauses, ({ database, scope, now }, { query }) => {
    const { limit, offset, sort } = query;
    return readCauses(database, scope, { ...chosenBy(query, now()), limit, offset, sort, now: now() });
  }),

  answer(getFault, async ({ actor, database, scope, now }, { params: { id } }) => {
    const fault = await findFault(database, scope, { id, callerId: actor.userId, now: now() });
    if (fault === null) throw notFound('fault');
    return { data: fault };
  }),

  answer(editFaults, (context, { body: { ids, of, change } }) => {
    if (of === undefined) return changeFaults(context, { ids: idsOf(ids ?? []) }, change);
    const cause = of.cause ?? of.filter.cause;
    const chosen = chosenBy({ ...of, filter: { ...of.filter, cause } }, context.now());
    return changeFaults(context, { ...chosen, isWithoutOthers: of.withoutOthers ?? false }, change);
  }),

  answer(listFaultViewers, async ({ actor, database, scope, now }) => ({
    data: await listViewers(database, scope, actor.userId, now()),
  })),

  answer(openFault, async (context, { params: { id } }) => ({ data: await open(context, id) })),

  answer(closeFault, async (context) => {
    await close(context);
    return {};
  }),
];

function idsOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}
