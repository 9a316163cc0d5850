import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { goneRows } from '../kit/data-table/gone-rows.ts';
import { loadedRows, type Pages } from '../kit/data-table/pages.ts';

/** What a look at the server has found that the list does not show. */
export interface News {
  listKey: string;
  /** Runs that are not in the list yet. */
  added: readonly JobExecution[];
  /** Runs of the list that are no longer in it. */
  goneIds: readonly string[];
  /** How many runs the list had at the look, where that is all that differs. */
  countThen: number | null;
}

interface Found {
  count: number;
  /** The first runs of the list, as the server has them. */
  data: readonly JobExecution[];
}

/** Whether a person has something to do with it: not while it runs, and not where all is fine. */
export function needsPerson({ result, state, anomalies }: JobExecution): boolean {
  if (state !== 'pending' || result === 'Running') return false;
  return result !== 'Success' || anomalies.length > 0;
}

/** Compares the beginning of the list with what is shown; `null` where they are the same runs. */
export function newsIn(found: Found, pages: Pages<JobExecution>, isOwn: (id: string) => boolean): News | null {
  const shown = idsOf(pages);
  const added = found.data.filter(({ _id }) => !shown.has(_id) && !isOwn(_id));
  const foundIds = new Set(found.data.map(({ _id }) => _id));
  const goneIds = goneRows([...shown], foundIds, found.count);
  const isSame = added.length === 0 && goneIds.length === 0;
  if (isSame && found.count === pages.count) return null;
  return { listKey: pages.listKey, added, goneIds, countThen: isSame ? pages.count : null };
}

/** What is still news now that the list may have been read again, or changed by the person. */
export function newsLeft(news: News | null, pages: Pages<JobExecution>, isOwn: (id: string) => boolean) {
  if (news === null || news.listKey !== pages.listKey) return { added: [], isChanged: false };
  const shown = idsOf(pages);
  const added = news.added.filter(({ _id }) => !shown.has(_id) && !isOwn(_id));
  const isGone = news.goneIds.some((id) => shown.has(id) && !isOwn(id));
  return { added, isChanged: isGone || (news.countThen !== null && news.countThen === pages.count) };
}

function idsOf(pages: Pages<JobExecution>): ReadonlySet<string> {
  return new Set(loadedRows(pages).map(({ _id }) => _id));
}
