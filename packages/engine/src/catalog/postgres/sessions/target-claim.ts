import { createHash } from 'node:crypto';
import pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';
import type { TargetClaim } from '../../catalog.ts';
import { pinSession, row } from './connection.ts';

/** A program that was killed just now keeps its claim for an instant, until its server has seen that it is gone. */
const WAIT = '2s';
/** Of a machine that went without a word the connection is given up after a minute or so, and not after hours. */
const KEEPALIVE_SECONDS = '20';
/** SQLSTATE of a lock that was not had in time. https://www.postgresql.org/docs/18/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * A session that alone restores into a target, whichever repository from. It ends with its program, however that ends.
 * @param target names it for good: kind, organization, id @param name as it is shown to people
 * @throws `locked` while another one restores into it
 */
export async function claimTarget(pool: pg.Pool, target: string, name: string): Promise<TargetClaim> {
  const session = await pinSession(pool);
  const key = keyOf(target);
  const end = () => session.release(true);
  try {
    await session.query(
      `SELECT set_config('lock_timeout', $1, false), set_config('idle_session_timeout', '0', false),
              set_config('tcp_keepalives_idle', $2, false), set_config('tcp_keepalives_interval', $2, false),
              set_config('tcp_keepalives_count', '3', false)`,
      [WAIT, KEEPALIVE_SECONDS],
    );
    await session.query('SELECT pg_advisory_lock($1)', [key]);
  } catch (error) {
    end();
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw inUse(name, await holderOf(pool, key));
  }
  const losing = new AbortController();
  const lose = () => losing.abort(lost(name));
  session.once('end', lose);
  return {
    lost: losing.signal,
    end() {
      // What is given back is not lost: the caller's cleanup after the restore may finish.
      session.off('end', lose);
      end();
    },
  };
}

/** Locks with one number are apart from those with two, of which the catalog's own are; no other takes one that is made of a text. */
const keyOf = (target: string) =>
  createHash('sha256').update(`restore ${target}`).digest().readBigInt64BE(0).toString();

/** Program, machine and process as the session with the lock named itself; `null` where that is unknown. */
async function holderOf(pool: pg.Pool, key: string): Promise<string | null> {
  const found = await row<{ name: string }>(
    pool,
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (l.classid::bigint << 32 | l.objid::bigint) = $1`,
    [key],
  ).catch(() => null);
  return found?.name || null;
}

function inUse(name: string, holder: string | null): EngineError {
  const whose = holder === null ? '' : ` (${holder})`;
  return new EngineError(
    'locked',
    `Another restore${whose} is writing into ${name}: both could write every item. Wait until that one has ended, and begin this one again. Nothing was changed.`,
    { isRetryable: true },
  );
}

/** As one that was not had: the same restore goes on by its journal when it is begun again. */
const lost = (name: string) =>
  new EngineError(
    'locked',
    `The connection to the catalog's database was lost, and with it the claim that keeps other restores out of ${name}.`,
    { isRetryable: true },
  );
