import { type Connection, row } from './connection.ts';

/** Takes or renews a lease; `false` while another holder's has not expired. The database's clock counts. */
export async function takeLease(
  connection: Connection,
  repository: number,
  name: string,
  holder: string,
  ttlMs: number,
): Promise<boolean> {
  const taken = await row(
    connection,
    `INSERT INTO leases (repository, name, holder, until) VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')
     ON CONFLICT (repository, name) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE leases.holder = excluded.holder OR leases.until <= clock_timestamp()
     RETURNING holder`,
    [repository, name, holder, ttlMs],
  );
  return taken !== null;
}

export async function releaseLease(
  connection: Connection,
  repository: number,
  name: string,
  holder: string,
): Promise<void> {
  await connection.query('DELETE FROM leases WHERE repository = $1 AND name = $2 AND holder = $3', [
    repository,
    name,
    holder,
  ]);
}
