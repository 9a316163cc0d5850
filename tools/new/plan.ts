/** What is to be written for something new. */
export interface Plan {
  /** New files by path from the root. None may exist. */
  files: Readonly<Record<string, string>>;
  /** Lines in files that exist. */
  lines: readonly Line[];
  /** What is left to a person. */
  next: readonly string[];
}

/** A line of a file that exists. */
export interface Line {
  file: string;
  text: string;
  /** The text before which it is written: its last occurrence. */
  before: string;
  /** Instead: its first occurrence, after which it is written. */
  after?: string;
  imports?: readonly Import[];
}

export interface Import {
  /** `listHints`, `type Hint`, or `* as hints`. */
  name: string;
  from: string;
}

/** The files and the lines that could not be written, as a person has to write them. */
export interface Outcome {
  files: Map<string, string>;
  next: string[];
}

/**
 * Returns the files as the plan wants them. Throws before anything is written where a new file exists. A line whose place is not found is
 * left to a person.
 */
export function carryOut(plan: Plan, read: (path: string) => string | null): Outcome {
  const existing = Object.keys(plan.files).filter((path) => read(path) !== null);
  if (existing.length > 0)
    throw new Error(`These files exist already, and nothing was written: ${existing.join(', ')}`);
  const files = new Map(Object.entries(plan.files));
  const next: string[] = [];
  for (const line of plan.lines) {
    const text = files.get(line.file) ?? read(line.file);
    const written = text === null ? null : withLine(text, line);
    if (written === null) next.push(`Add to ${line.file}: ${line.text.trim()}`);
    else files.set(line.file, written);
  }
  return { files, next: [...next, ...plan.next] };
}

function withLine(text: string, { text: line, before, after, imports = [] }: Line): string | null {
  const found = after === undefined ? text.lastIndexOf(before) : text.indexOf(after);
  if (found === -1) return null;
  const place = found + (after?.length ?? 0);
  return imports.reduce(withImport, text.slice(0, place) + line + text.slice(place));
}

/** Adds a name to what the file imports from there; Biome sorts it. */
function withImport(text: string, { name, from }: Import): string {
  const known = new RegExp(`import \\{([^}]*)\\} from '${from.replaceAll('.', '\\.')}';`).exec(text);
  if (known === null) return `import ${name.startsWith('*') ? name : `{ ${name} }`} from '${from}';\n${text}`;
  const names = (known[1] ?? '').split(',').map((one) => one.trim());
  if (names.includes(name)) return text;
  const all = [...names.filter(Boolean), name].join(', ');
  return text.replace(known[0], `import { ${all} } from '${from}';`);
}

/** What is known of the project before a list is planned. */
export interface Project {
  exists(path: string): boolean;
  read(path: string): string | null;
  /** The number of the next migration, and the `when` of its line in the journal. */
  nextMigration: { number: number; when: number };
}
