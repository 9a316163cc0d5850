import type pg from 'pg';
import type { Commit, ObjectSection } from '../../repository/commit.ts';
import type { DoubledRevision } from '../catalog.ts';
import { type Connection, row } from './sessions/connection.ts';

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

/** Notes it when a run that doubled a revision is not the latest that the catalog knows. */
export async function noteOrder(connection: pg.PoolClient, repository: number, run: string): Promise<void> {
  await connection.query(
    `UPDATE repositories SET is_out_of_order = true WHERE id = $1
       AND EXISTS (SELECT FROM runs WHERE repository = $1 AND run > $2 AND last_sequence > 0)`,
    [repository, run],
  );
}

export async function isOutOfOrder(connection: Connection, repository: number): Promise<boolean> {
  return (await row(connection, 'SELECT FROM repositories WHERE id = $1 AND is_out_of_order', [repository])) !== null;
}
