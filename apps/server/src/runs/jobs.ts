import { jobIgnores, jobs } from './tables.ts';

/** The jobs: sources and reports bring them, schedules and ingest write their state, executions and insights read them. */
export const JOBS = jobs;

/** Inactive jobs that users ignore. */
export const JOB_IGNORES = jobIgnores;
