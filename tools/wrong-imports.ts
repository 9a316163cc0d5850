import { IMPORT_RULES, isTest, SERVER_LEVELS } from './import-rules.ts';
import type { SourceFile } from './source-files.ts';

/** Every import of shipped code that the architecture forbids, as a line that says why. */
export function wrongImports(files: readonly SourceFile[]): string[] {
  const shipped = files.filter(({ path }) => !isTest(path));
  return [
    ...foldersWithoutLevel(shipped),
    ...shipped.flatMap((file) => file.imports.flatMap((target) => refusals(file.path, target))),
  ];
}

/** Below and above all capabilities of the server: their rules are in IMPORT_RULES. */
const SERVER_LAYERS = new Set(['foundation', 'program']);

/** A capability of the server without a level could import any other. */
function foldersWithoutLevel(files: readonly SourceFile[]): string[] {
  const folders = new Set(
    files.map(({ path }) => capabilityOf('apps/server/src', path)).filter((name) => name !== null),
  );
  return [...folders]
    .filter((name) => !SERVER_LAYERS.has(name) && SERVER_LEVELS[name] === undefined)
    .map((name) => `apps/server/src/${name} has no level: add it to SERVER_LEVELS in tools/import-rules.ts`);
}

function refusals(from: string, target: string): string[] {
  const broken = IMPORT_RULES.filter(
    (rule) => rule.from.test(from) && rule.never.test(target) && !rule.except?.test(target),
  );
  const reasons = [
    ...broken.map((rule) => rule.why),
    upward(from, target),
    entriesOfAnother(from, target),
    tablesOfAnother(from, target),
    sideways(from, target),
    otherVendor(from, target),
  ];
  return reasons.filter((why) => why !== null).map((why) => `${from} imports ${target}: ${why}`);
}

/** Between the server's capabilities imports go downward only. */
function upward(from: string, target: string): string | null {
  const [higher, lower] = [capabilityOf('apps/server/src', from), capabilityOf('apps/server/src', target)];
  if (higher === null || lower === null || higher === lower) return null;
  const [fromLevel, targetLevel] = [SERVER_LEVELS[higher], SERVER_LEVELS[lower]];
  if (fromLevel === undefined || targetLevel === undefined || targetLevel < fromLevel) return null;
  return `${higher} may not know ${lower}: what must go upward goes as an event`;
}

/** What a capability answers and does on its own is its own: others use its functions, and the program registers calls and jobs. */
function entriesOfAnother(from: string, target: string): string | null {
  const [one, other] = [capabilityOf('apps/server/src', from), capabilityOf('apps/server/src', target)];
  if (one === null || other === null || one === other || one === 'program') return null;
  const [, entry] = /\.(calls|jobs)\.ts$/.exec(target) ?? [];
  return entry === undefined
    ? null
    : `${one} may not import the ${entry} of ${other}: import the function that they call`;
}

/** A table belongs to one capability, which decides what others may use of it. */
function tablesOfAnother(from: string, target: string): string | null {
  const [one, other] = [capabilityOf('apps/server/src', from), capabilityOf('apps/server/src', target)];
  if (one === other || other === null || !target.endsWith('/tables.ts')) return null;
  return `${one} may not import the tables of ${other}: import what the file of their noun in ${other} exports`;
}

const WEB_LAYERS = new Set(['program', 'shell', 'entities', 'kit', 'testing']);

/** Between the browser's capabilities nothing is imported at all. */
function sideways(from: string, target: string): string | null {
  const [one, other] = [capabilityOf('apps/web/src', from), capabilityOf('apps/web/src', target)];
  if (one === null || other === null || one === other || WEB_LAYERS.has(one)) return null;
  if (other === 'kit' || other === 'entities') return null;
  return `${one} may not know ${other}: a screen's capability uses entities, kit and contract`;
}

/** What all connectors share. */
const CONNECTOR_LAYERS = new Set(['base', 'ports', 'http']);

/** Below them all connectors share `base`, `ports` and `http`; of each other they know nothing. */
function otherVendor(from: string, target: string): string | null {
  const [one, other] = [capabilityOf('packages/connectors/src', from), capabilityOf('packages/connectors/src', target)];
  if (one === null || other === null || one === other || CONNECTOR_LAYERS.has(other)) return null;
  return `${one} may not know ${other}: connectors share the ports and the client, nothing else`;
}

function capabilityOf(floor: string, path: string): string | null {
  if (!path.startsWith(`${floor}/`)) return null;
  const [name, ...rest] = path.slice(floor.length + 1).split('/');
  return name === undefined || rest.length === 0 ? null : name;
}

/** Cycles of imports within the project, each as its files in order. Imports of types count. */
export function importCycles(files: readonly SourceFile[]): string[][] {
  const targets = new Map(files.map((file) => [file.path, file.imports]));
  const done = new Set<string>();
  const cycles: string[][] = [];
  function visit(path: string, trail: readonly string[]): void {
    const at = trail.indexOf(path);
    if (at !== -1) cycles.push([...trail.slice(at), path]);
    if (at !== -1 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) if (targets.has(target)) visit(target, [...trail, path]);
    done.add(path);
  }
  for (const file of files) visit(file.path, []);
  return cycles;
}
