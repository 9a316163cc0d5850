import { type SQL, sql } from 'drizzle-orm';

/** What a condition looks at in a run: columns of a row, or values. */
export interface RunParts {
  message: SQL;
  result: SQL;
  sourceGroup: SQL;
  jobType: SQL;
}

/** A condition: columns of a row, or values. */
export interface ConditionParts {
  phrases: SQL;
  result: SQL;
  sourceGroups: SQL;
  jobTypes: SQL;
}

/** Whether a run fits a condition: the one rule, by which hints are found for a run and runs for a hint. All parts are texts. */
export function fits(run: RunParts, { phrases, result, sourceGroups, jobTypes }: ConditionParts): SQL {
  return sql`(${result} is null or ${result} = ${run.result})
    and (cardinality(${sourceGroups}) = 0 or ${run.sourceGroup} = any(${sourceGroups}))
    and (cardinality(${jobTypes}) = 0 or ${run.jobType} = any(${jobTypes}))
    and not exists (select from unnest(${phrases}) as phrase where strpos(lower(coalesce(${run.message}, '')), lower(phrase)) = 0)`;
}
