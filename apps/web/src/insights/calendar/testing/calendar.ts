import {
  type CalendarRow,
  getSpreadsheetReport,
  getSpreadsheetStats,
  listJobNames,
} from '@keepwatch/contract/insights/calendar';
import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { type Answers, createAnswers } from '../../../testing/answers.ts';
import { buildUser } from '../../../testing/builders.ts';
import { openPortal } from '../../../testing/open-portal.tsx';

export const PATH = '/monitoring/calendar-report';
/** The id of the job with this number. */
export const jobId = (number: number) => `0193b000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** The job of a number, with a letter for each day from the first on. */
export function buildRow(number: number, cells = 'FDWRsS-', fields: Partial<CalendarRow> = {}): CalendarRow {
  return {
    jobInstanceUid: jobId(number),
    jobName: `Job ${number}`,
    companyId: '0193d000-0000-7000-8000-000000000001',
    companyName: 'Acme',
    sourceGroup: 'managed-servers',
    isEnabled: true,
    cells: cells.padEnd(31, '-'),
    sharedBy: null,
    sharedJob: null,
    ...fields,
  };
}

/** A day without anything but what is given. */
export function buildDayCounts(given: Partial<DayCounts>): DayCounts {
  const none = { success: 0, warning: 0, failed: 0, running: 0, didntRun: 0, anomalies: 0, transferredBytes: 0 };
  return { day: '2026-03-01', ...none, ...given };
}

/** A server whose calendar has these jobs, of so many that match without their problems; all of these succeeded. */
export function serveCalendar(rows: CalendarRow[], matching = rows.length): Answers {
  const days = [buildDayCounts({ success: 40, failed: 2 })];
  return createAnswers()
    .on(getSpreadsheetReport, ({ query: { limit, offset, from } }) => ({
      success: true as const,
      count: rows.length,
      firstDay: from.slice(0, 10),
      recountedFrom: null,
      data: rows.slice(offset, offset + limit),
    }))
    .on(getSpreadsheetStats, {
      success: true as const,
      data: { jobs: matching, succeeded: matching, days },
      recountedFrom: null,
    })
    .on(listJobNames, ({ query: { ids = [] } }) => {
      const data = rows.filter(({ jobInstanceUid }) => ids.includes(jobInstanceUid)).map(nameOf);
      return { success: true as const, count: data.length, data };
    });
}

function nameOf({ isEnabled: _enabled, cells: _cells, ...name }: CalendarRow) {
  return name;
}

/** The calendar of March 2026, unless the address says another month. */
export const openCalendar = (answers: Answers, path = PATH) => openPortal({ path, user: buildUser(), answers });
