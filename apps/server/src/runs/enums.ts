import { DATA_SOURCE_GROUPS, RESULTS, STATES } from '@keepwatch/contract/runs/values';
import { pgEnum } from 'drizzle-orm/pg-core';

/* The types of columns with a closed set of values, for the table declarations of all capabilities. */

export const dataSourceGroup = pgEnum('data_source_group', DATA_SOURCE_GROUPS);
export const executionResult = pgEnum('execution_result', RESULTS);
export const executionState = pgEnum('execution_state', STATES);
