import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getOverviewStats } from '@keepwatch/contract/insights/insights';
import type { Call } from '@keepwatch/contract/wire/call';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import { parseInput } from './parse.ts';

/** What is said of a query. */
function saidOf(call: Call, queryText: string): string {
  try {
    parseInput(call, { params: {}, queryText, body: undefined });
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

describe('the refusal of an invalid query', () => {
  it('names the values that are accepted, whether the query has one or several', () => {
    expect(saidOf(listJobExecutions, 'filter.state=pending')).toBe('accepted');
    expect(saidOf(listJobExecutions, 'filter.state=open')).toMatch(/query\.filter\.state.*"pending"/);
    expect(saidOf(listJobExecutions, 'filter.type=Error')).toMatch(/query\.filter\.type.*"Failed"/);
    expect(saidOf(listJobExecutions, 'filter.type=Failed&filter.type=Error')).toMatch(
      /query\.filter\.type\.1.*"Failed"/,
    );
  });

  it('names what is missing', () => {
    expect(saidOf(getOverviewStats, 'to=2026-01-01T00:00:00.000Z')).toMatch(
      /^The request has invalid fields\. query\.from: is missing$/,
    );
  });
});
