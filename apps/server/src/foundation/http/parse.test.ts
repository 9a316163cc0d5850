import { getOverviewStats } from '@keepwatch/contract/monitoring/insight';
import { listJobExecutions } from '@keepwatch/contract/monitoring/job-executions';
import type { Call } from '@keepwatch/contract/wire/call';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import { parseInput } from './parse.ts';

/** What is said of a query. */
function saidOf(call: Call, queryText: string): string {
  try {
    parseInput(call, { params: {}, queryText, body: undefined });
    return 'taken';
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

describe('a query that cannot be taken', () => {
  it('is told the values that there are, whether it named one or several', () => {
    expect(saidOf(listJobExecutions, 'filter.state=pending')).toBe('taken');
    expect(saidOf(listJobExecutions, 'filter.state=open')).toMatch(/query\.filter\.state.*"pending"/);
    expect(saidOf(listJobExecutions, 'filter.type=Error')).toMatch(/query\.filter\.type.*"Failed"/);
    expect(saidOf(listJobExecutions, 'filter.type=Failed&filter.type=Error')).toMatch(
      /query\.filter\.type\.1.*"Failed"/,
    );
  });

  it('is told what is missing', () => {
    expect(saidOf(getOverviewStats, 'to=2026-01-01T00:00:00.000Z')).toMatch(
      /^The request has invalid fields\. query\.from: is missing$/,
    );
  });
});
