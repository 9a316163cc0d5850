import { Readable } from 'node:stream';
import { Client, type Connection, type Submittable } from 'pg';

/** Everything that PostgreSQL needs to start from it, its log of changes (WAL) until the end of the backup included. */
const COMMAND = `BASE_BACKUP (LABEL 'keepwatch', CHECKPOINT 'fast', WAL true)`;
/** Keeps the log of changes from the beginning of the backup, however much is written meanwhile. Ends with its session. */
const KEEP_CHANGES = 'select pg_create_physical_replication_slot($1, true, true)';

/**
 * Gives `work` a copy of the whole cluster as one tar archive, consistent as of its end, made while others read and
 * write (https://www.postgresql.org/docs/18/protocol-replication.html). An error of the server is one of the stream.
 */
export async function withBaseBackup(superuserUrl: string, work: (archive: Readable) => Promise<void>): Promise<void> {
  const session = new Client({ connectionString: superuserUrl });
  const sender = new Client(replicating(superuserUrl));
  // Both losses reach `work` through the stream, or us through the query that fails.
  for (const client of [session, sender]) client.on('error', () => undefined);
  try {
    await session.connect();
    await session.query(KEEP_CHANGES, [`keepwatch_backup_${process.pid}`]);
    await sender.connect();
    const archive = new ArchiveStream();
    // Where `work` has given up, nothing else listens when the connection ends under the stream.
    archive.on('error', () => undefined);
    sender.query(archive);
    await work(archive);
  } finally {
    await Promise.all([session.end(), sender.end()]);
  }
}

/** `replication` is a parameter of the connection that the types of node-postgres do not name. */
function replicating(superuserUrl: string): { connectionString: string } {
  const url = new URL(superuserUrl);
  url.searchParams.set('replication', 'true');
  return { connectionString: url.href };
}

/** The archive as node-postgres delivers it: a query whose result is a stream. */
class ArchiveStream extends Readable implements Submittable {
  #connection: Connection | undefined;

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(COMMAND);
  }

  /** The first byte is the kind of message: `d` is data, all others (names, progress) can be done without. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (chunk[0] !== 0x64) return;
    // The parser uses its buffer again, so the bytes are copied.
    if (!this.push(Buffer.from(chunk.subarray(1)))) this.#connection?.stream.pause();
  }

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}

  override _read(): void {
    this.#connection?.stream.resume();
  }

  /** The server would wait for ever if its output is not read. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (error !== null) this.#connection?.stream.destroy();
    done(error);
  }
}
