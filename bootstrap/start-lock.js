import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { announce } from './project.js';

const POLL_MS = 200;

/**
 * Runs `work` while no other start on this project does: two starts at once must not install over each other. The
 * second one waits; a lock whose process has ended is replaced.
 * @template T
 * @param {string} file the lock file; contains the process number of its owner
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withStartLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  let announced = false;
  while (!tryLock(file)) {
    const holder = readHolder(file);
    if (holder !== undefined && !isAlive(holder)) removeStale(file, holder);
    else {
      if (!announced) announce(`Waiting for another start (process ${holder ?? 'unknown'}) to finish installing …`);
      announced = true;
      await delay(POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** A link appears with its content or not at all, so no process ever reads an empty lock. */
function tryLock(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Another start may have replaced the lock since it was read: looks at what it moved away, and puts that back. */
function removeStale(file, holder) {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
    if (readHolder(aside) !== holder) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
}
