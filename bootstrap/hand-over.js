import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs the program in our place: same terminal, our signals passed on, Node's folder first in its PATH. Resolves with
 * the exit code to end with, which after a signal is 128 + its number, as shells have it.
 * @param {{ node: string, flags?: string[], file: string, args: string[], cwd: string }} program
 * @returns {Promise<number>}
 */
export function handOver({ node, flags = [], file, args, cwd }) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: [dirname(node), process.env.PATH].filter(Boolean).join(delimiter) };
    const child = spawn(node, [...flags, file, ...args], { cwd, env, stdio: 'inherit' });
    const forward = (signal) => child.kill(signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal === null ? code : 128 + constants.signals[signal]));
  });
}
