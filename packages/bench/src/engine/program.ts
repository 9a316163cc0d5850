import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NODE_FLAGS } from '@keepwatch/engine/node-flags';
import { endedChildrenSeconds } from '../monitoring/processor-time.ts';

/** Runs a program to its end. @returns what it printed @throws when it fails, with its name */
export async function program(name: string, given: string[], options: SpawnOptions = {}): Promise<string> {
  const child = spawn(name, given, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
  let reported = '';
  child.stdout?.on('data', (part: Buffer) => {
    reported += part.toString();
  });
  const [code] = await once(child, 'close');
  if (code === 0) return reported;
  throw new Error(`${name} ${given[0]} ended with ${code}. Is it installed?`);
}

/** What a program took. */
export interface Spent {
  ms: number;
  /**
   * Seconds of a processor of the program and of all that it started, as the kernel counts them for this process when a child has ended. So all
   * programs are measured alike, and nothing has to be installed for it.
   */
  processorSeconds: number;
}

/** Measures work that runs programs, one after the other, to their end. */
export async function spentBy(work: () => Promise<unknown>): Promise<Spent> {
  const before = await endedChildrenSeconds();
  const begun = performance.now();
  await work();
  return { ms: performance.now() - begun, processorSeconds: (await endedChildrenSeconds()) - before };
}

/** What the engine reports of itself as a program; memory is the most that it ever had. */
export interface EngineReport {
  bytes: number;
  memoryMegabytes: number;
  /** Of `open`: how long the first page took, and how much more memory there was for it. */
  page?: { ms: number; megabytes: number };
}

/** Runs the engine as a program (engine-program.ts), with the flags with which the product runs it. */
export async function engineProgram(
  what: 'create' | 'backup' | 'read' | 'restore' | 'open',
  repository: string,
  databaseUrl: string,
  place: string,
): Promise<EngineReport> {
  const file = join(import.meta.dirname, 'engine-program.ts');
  return JSON.parse(await program(process.execPath, [...NODE_FLAGS, file, what, repository, databaseUrl, place]));
}

export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}
