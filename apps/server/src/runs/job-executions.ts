import { jobExecutionLogs, jobExecutions } from './tables.ts';

/** Stored runs, written by ingest, and missed ones, written by schedules; what users make of them is written by executions. */
export const JOB_EXECUTIONS = jobExecutions;

/** Their log lines and attempts, where there are any. */
export const JOB_EXECUTION_LOGS = jobExecutionLogs;
