import type { Plugin } from 'vite';
import * as schemaLibrary from 'zod/mini';

const LIBRARY = 'zod/mini';
const REPLACEMENT = '\0without-schemas';
/** What runs a schema, as opposed to what declares one. */
const RUNS = /^(safe)?(parse|encode|decode)(Async)?$/i;

/**
 * Leaves the schema library out of the browser's build. The contract declares calls with schemas, but the browser only
 * needs their method and path: the server checks what it is given, and replies come as their schema made them. That is
 * 15 kB, gzipped, of a sign-in page of 150. Declaring then does nothing, and running a schema throws, so that
 * a skipped check cannot pass as a check. Development and tests have the real library.
 */
export function withoutSchemas(): Plugin {
  return {
    name: 'keepwatch:without-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source === LIBRARY ? REPLACEMENT : null),
    load: (id) =>
      id === REPLACEMENT ? { code: replacementOf(Object.keys(schemaLibrary)), moduleSideEffects: false } : null,
  };
}

/** A module with these exports. */
export function replacementOf(names: readonly string[]): string {
  const exported = names
    .filter((name) => name !== 'default')
    .map((name) => `${RUNS.test(name) ? 'run' : 'declare'} as ${name}`);
  return `
const declare = () => nothing;
const nothing = new Proxy(declare, { get: () => declare });
const run = () => {
  throw new Error('The browser has no schemas to check with: let the server check, or check by hand.');
};
export { ${exported.join(', ')} };
`;
}
