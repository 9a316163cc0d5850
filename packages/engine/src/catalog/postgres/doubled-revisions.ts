import type pg from 'pg';
import type { Commit, ObjectSection } from '../../repository/commit.ts';
import type { DoubledRevision } from '../catalog.ts';

/** A section whose revision another commit had brought already, and the revision under which it is stored. */
interface Doubled {
  /** Its number in this database. */
  run: number;
  commit: Commit;
  section: ObjectSection;
  storedAs: number;
}

/** Remembers it for the end of the run, which names the revision as the run knew it. */
export async function storeDoubled(
  connection: pg.PoolClient,
  repository: number,
  { run, commit, section, storedAs }: Doubled,
): Promise<DoubledRevision> {
  await connection.query(
    `INSERT INTO doubled_revisions (run, object, revision, kept_as)
     SELECT $2, id, $4, $5 FROM objects WHERE repository = $1 AND key = $3`,
    [repository, run, section.key, section.revision, storedAs],
  );
  const { key, name, revision } = section;
  return { object: key, objectName: name, run: commit.run, revision, storedAs };
}
