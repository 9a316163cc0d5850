import { sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { jobIgnores, jobs } from './tables.ts';

/** The jobs: sources and reports bring them, schedules and ingest write their state, executions and insights read them. */
export const JOBS = jobs;

/** Inactive jobs that users ignore. */
export const JOB_IGNORES = jobIgnores;

/** Names a job in the users logs. */
export const nameOfJob: NameOfTarget = (scope, id) =>
  sql`select t.name from jobs t where ${scope.rows('t')} and t.job_instance_uid = ${id}`;
