import { readdir, readFile } from 'node:fs/promises';
import type { Pool } from '@keepwatch/server/foundation/database';

/** Ticks of the kernel in a second, on every Linux. */
const TICKS = 100;

interface ProcessState {
  pid: number;
  parent: number;
  /** What it has used itself, in seconds of a processor. */
  own: number;
  /** What its children had used that have ended. */
  ended: number;
}

/** What a process has used so far, in seconds of a processor, with all that it has started. */
export async function processorSeconds(pid: number): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const states = (await Promise.all(names.map((name) => stateOf(Number(name))))).filter((state) => state !== null);
  const ofTree = (one: ProcessState): number =>
    states.filter(({ parent }) => parent === one.pid).reduce((sum, child) => sum + ofTree(child), one.own + one.ended);
  const root = states.find((state) => state.pid === pid);
  if (root === undefined) throw new Error(`There is no process ${pid}.`);
  return ofTree(root);
}

/** What the processes that this one started and that have ended used, with all that they had started, in seconds of a processor. */
export async function endedChildrenSeconds(): Promise<number> {
  return (await stateOf(process.pid))?.ended ?? 0;
}

/** The process of the database that has started all others. */
export async function postmasterPid(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = (await stateOf(rows[0]?.pid ?? 0))?.parent;
  if (parent === undefined) throw new Error('The database runs on another machine: its work cannot be measured.');
  return parent;
}

/** See proc_pid_stat(5): the fields after the name, which is in brackets and may hold anything. */
async function stateOf(pid: number): Promise<ProcessState | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  if (text === '') return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (at: number) => Number(fields[at] ?? 0) / TICKS;
  return { pid, parent: Number(fields[1]), own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14) };
}
