import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { withImports } from './with-imports.ts';

/** One module of the build, as Vite lists it. */
interface BuiltModule {
  file: string;
  /** Keys of what it always loads. */
  imports?: string[];
}
type Manifest = Readonly<Record<string, BuiltModule>>;

interface Page {
  name: string;
  /** Entry, and what the route loads. */
  modules: readonly string[];
  /** Largest sum of JavaScript, gzipped. */
  limitBytes: number;
}

const ENTRY = 'index.html';
const SHELL = 'src/shell/shell.tsx';

/** What a first visit to each page may load. The sum of kilobytes counts, not how it is cut into files. */
const PAGES: readonly Page[] = [
  { name: 'sign-in', modules: [ENTRY, 'src/identity/sign-in.screen.tsx'], limitBytes: 150_000 },
  { name: 'dashboard', modules: [ENTRY, SHELL, 'src/insights/dashboard/dashboard.screen.tsx'], limitBytes: 230_000 },
  {
    name: 'forbidden (shell alone)',
    modules: [ENTRY, SHELL, 'src/identity/forbidden.screen.tsx'],
    limitBytes: 180_000,
  },
  {
    name: 'Microsoft 365 dashboard',
    modules: [ENTRY, SHELL, 'src/microsoft365/dashboard/dashboard.screen.tsx'],
    limitBytes: 230_000,
  },
  {
    name: 'organizations',
    modules: [ENTRY, SHELL, 'src/microsoft365/organizations/organizations.screen.tsx'],
    limitBytes: 230_000,
  },
  {
    name: 'organization wizard',
    modules: [ENTRY, SHELL, 'src/microsoft365/organizations/organization-wizard.screen.tsx'],
    limitBytes: 240_000,
  },
  ...['outlook', 'onedrive', 'sharepoint', 'teams'].map((name) => ({
    name: `restore ${name}`,
    modules: [ENTRY, SHELL, `src/restore/${name}.screen.tsx`],
    limitBytes: 230_000,
  })),
  {
    name: 'job wizard',
    modules: [ENTRY, SHELL, 'src/microsoft365/jobs/job-wizard.screen.tsx'],
    limitBytes: 240_000,
  },
];

/** Every JavaScript file that these modules load, each once. */
export function filesOf(manifest: Manifest, modules: readonly string[]): string[] {
  const files = [...withImports(manifest, modules)].map((key) => manifest[key]?.file ?? '');
  return files.filter((file) => file.endsWith('.js'));
}

function gzippedBytes(path: string): number {
  return gzipSync(readFileSync(path)).length;
}

/** Prints each page's sum and says whether all are within their limits. Pages that are not built are passed over. */
export function measure(dist: string): boolean {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  let isWithin = true;
  for (const { name, modules, limitBytes } of PAGES) {
    if (modules.some((key) => manifest[key] === undefined)) {
      console.log(`${name}: not built`);
      continue;
    }
    const scripts = [...filesOf(manifest, modules).map((file) => join(dist, file)), join(dist, 'start.js')];
    const sizeBytes = scripts.reduce((sum, path) => sum + gzippedBytes(path), 0);
    if (sizeBytes > limitBytes) isWithin = false;
    const verdict = sizeBytes > limitBytes ? 'TOO LARGE' : 'ok';
    console.log(
      `${name}: ${(sizeBytes / 1_000).toFixed(1)} kB of ${limitBytes / 1_000} kB JavaScript, gzipped: ${verdict}`,
    );
  }
  return isWithin;
}

if (import.meta.main) process.exitCode = measure(join(import.meta.dirname, 'dist')) ? 0 : 1;
