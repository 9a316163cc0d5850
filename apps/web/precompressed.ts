import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXTS = /\.(js|css|svg)$/;
const SMALL_BYTES = 1_000;

/** Lays a Brotli and a gzip copy beside every text of the build: compressed once and well, instead of at every request. */
export function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const names = await readdir(dir, { recursive: true });
      await Promise.all(names.filter((name) => TEXTS.test(name)).map((name) => compress(join(dir, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const plain = await readFile(path);
  if (plain.length < SMALL_BYTES) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(plain, quality));
  await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }));
}
