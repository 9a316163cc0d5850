import { createHash } from 'node:crypto';

/** An id that is always the same for a text, in the form of a UUID of version 8 (RFC 9562). */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}

/** The id of a proxy: that of the machine, so that it outlives the processes on it. */
export const proxyIdOf = (name: string) => idOf(`proxy/${name}`);
export const poolIdOf = (pool: string) => idOf(`pool/${pool}`);
