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

/** Notes it when a later run than the one that doubled a revision has brought revisions of the same object. */
export async function noteOrder(
  connection: pg.PoolClient,
  repository: number,
  doubled: readonly DoubledRevision[],
): Promise<void> {
  await connection.query(
    `UPDATE repositories SET is_out_of_order = true WHERE id = $1 AND EXISTS (
       SELECT FROM unnest($2::text[], $3::text[]) AS d (object, run)
       JOIN objects o ON o.repository = $1 AND o.key = d.object AND o.newest_run > d.run)`,
    [repository, doubled.map(({ object }) => object), doubled.map(({ run }) => run)],
  );
}

export async function isOutOfOrder(connection: Connection, repository: number): Promise<boolean> {
  return (await row(connection, 'SELECT FROM repositories WHERE id = $1 AND is_out_of_order', [repository])) !== null;
}
