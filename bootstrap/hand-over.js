import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { OWN_FOLDER } from './project.js';
import { watchNpm } from './starter.js';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * What Node has compiled, TypeScript included: with it a program begins in a third of the time. Not among everybody's temporary
 * files, where others could put code for us to run; who may not write here runs without.
 */
const COMPILED = join(OWN_FOLDER, 'compiled');

/**
 * glibc gives threads heaps of their own, eight for each processor, and what one has freed the others do not use: buffers that go from thread to thread
 * leave all of them large. With two the same work takes 50 MB less and no more time. See mallopt(3); other C libraries do not look at it.
 */
const HEAPS = '2';

/**
 * Larger pieces get pages of their own, which the system has back at once when they are freed. glibc would raise the limit to 32 MB as soon as the first
 * large buffer is freed, and keep the memory of all that follow: 40 MB more for the same work in the same time.
 */
const OWN_PAGES_BYTES = String(2 ** 20);

/**
 * Runs the program in our place: same terminal, our signals passed on, Node's folder first in its PATH. The end of npm
 * is a SIGTERM to it; our own end, however hard, closes the channel between us, which it can notice ('disconnect').
 * Resolves with the exit code to end with, which after a signal is 128 + its number, as shells have it.
 * @param {{ node: string, flags?: string[], file: string, args: string[], cwd: string }} program
 * @returns {Promise<number>}
 */
export function handOver({ node, flags = [], file, args, cwd }) {
  return new Promise((resolve, reject) => {
    const path = [dirname(node), process.env.PATH].filter(Boolean).join(delimiter);
    const memory = { MALLOC_ARENA_MAX: HEAPS, MALLOC_MMAP_THRESHOLD_: OWN_PAGES_BYTES };
    const env = { NODE_COMPILE_CACHE: COMPILED, ...memory, ...process.env, PATH: path };
    const child = spawn(node, [...flags, file, ...args], { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    const forget = watchNpm(() => child.kill('SIGTERM'));
    // npm may end right after it has passed a signal on: asked a second time, the program would end at once and not in good order.
    const forward = (signal) => {
      forget();
      child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    child.once('error', reject);
    child.once('close', forget);
    child.once('close', (code, signal) => resolve(signal === null ? code : 128 + constants.signals[signal]));
  });
}
