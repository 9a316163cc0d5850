import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { folderWith } from './folder.fixture.js';

/**
 * A package as a registry has it: its name, its version, its tarball, and the integrity of that.
 * @param {string} name
 * @param {string} version
 * @param {Record<string, string>} files
 */
export function packed(name, version, files) {
  const manifest = { 'package/package.json': JSON.stringify({ name, version }) };
  const inside = Object.entries(files).map(([path, content]) => [`package/${path}`, content]);
  const folder = folderWith({ ...manifest, ...Object.fromEntries(inside) });
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  const tarball = readFileSync(join(folder, 'package.tgz'));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  return { name, version, tarball, integrity };
}

/**
 * Starts a registry with one package, and makes npm use it, with an empty cache, until the test is over. It announces whatever it
 * serves as genuine, as one that was broken into would.
 * @param {ReturnType<typeof packed>} served
 */
export async function registryWith({ name, version, tarball, integrity }) {
  const server = createServer((request, response) => {
    if (request.url.endsWith('.tgz')) return response.end(tarball);
    const dist = { tarball: `http://${request.headers.host}/${name}/-/${name}-${version}.tgz`, integrity };
    const versions = { [version]: { name, version, dist } };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${server.address().port}/`);
  vi.stubEnv('npm_config_fetch_retries', '0');
  vi.stubEnv('npm_config_cache', folderWith());
}
