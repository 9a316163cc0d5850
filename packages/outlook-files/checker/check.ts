import { readDatabase } from './database.ts';
import { type Finding, Findings } from './findings.ts';
import { checkFolders } from './folders.ts';
import { checkMandatory } from './mandatory.ts';
import { checkNamedProperties } from './named-properties.ts';
import { PstFile } from './pst-file.ts';

/** What was checked, in numbers. */
export interface Checked {
  bytes: number;
  nodes: number;
  blocks: number;
}

/** A finished check. */
export interface PstReport {
  findings: Finding[];
  /** Undefined where the file is too damaged to be read at all. */
  checked: Checked | undefined;
}

/**
 * Checks the structure of a Unicode PST file against [MS-PST]: pages, allocation, trees, blocks, heaps, properties,
 * tables, folders and messages. No finding means that no rule of `rules.ts` is broken.
 *
 * @throws where the file cannot be opened or read; damage inside it is a finding
 */
export async function checkPst(path: string): Promise<Finding[]> {
  return (await reportPst(path)).findings;
}

/** Like `checkPst`, with the numbers of what was checked. */
export async function reportPst(path: string): Promise<PstReport> {
  await using file = await PstFile.open(path);
  const findings = new Findings();
  const database = await findings.guard('file', () => readDatabase(file, findings));
  if (!database) return { findings: findings.all(), checked: undefined };
  await findings.guard('message store', () => checkMandatory(database));
  const named = (await findings.guard('name-to-id map', () => checkNamedProperties(database))) ?? new Set();
  await findings.guard('folders', () => checkFolders({ database, named }));
  const checked = { bytes: file.size, nodes: database.nodes.count, blocks: database.blocks.count };
  return { findings: findings.all(), checked };
}
