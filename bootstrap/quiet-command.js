import { spawn } from 'node:child_process';
import { BootstrapError } from './project.js';

/** The beginning of npm's output names the cause, the end of a stack trace does: both are shown. */
const LINES_SHOWN = 12;

/**
 * Runs a command without showing its output, unless it fails: then its beginning and end are part of the error.
 * @param {{ what: string, file: string, args: string[], cwd: string, env?: NodeJS.ProcessEnv, shell?: boolean }} command
 *   `what` names the step for the error message
 * @returns {Promise<void>}
 */
export function runQuietly({ what, file, args, cwd, env = process.env, shell = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    const endWithUs = () => child.kill();
    process.once('exit', endWithUs);
    child.once('close', () => process.off('exit', endWithUs));
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('error', (error) => reject(new BootstrapError(`${what} failed: ${describeStart(file, error)}`)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new BootstrapError(`${what} failed (${signal ?? `exit code ${code}`}):\n${shorten(output)}`));
    });
  });
}

/**
 * Runs npm: the one that started us, else the one in PATH. It keeps the Node it was installed with; an old npm under
 * a new Node complains.
 * @param {string} what names the step for the error message
 * @param {string[]} args
 * @param {string} cwd
 */
export function runNpm(what, args, cwd) {
  const starter = process.env.npm_execpath;
  if (starter?.endsWith('npm-cli.js')) {
    return runQuietly({ what, file: process.execPath, args: [starter, ...args], cwd });
  }
  return runQuietly({ what, file: 'npm', args, cwd, shell: process.platform === 'win32' });
}

function describeStart(file, error) {
  if (error.code !== 'ENOENT') return error.message;
  return `"${file}" is not in PATH. Install npm (it comes with Node.js, in Debian as the package "npm").`;
}

function shorten(output) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  if (lines.length <= 2 * LINES_SHOWN) return lines.join('\n');
  return [...lines.slice(0, LINES_SHOWN), '…', ...lines.slice(-LINES_SHOWN)].join('\n');
}
