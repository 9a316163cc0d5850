import { EmbeddedDatabaseError } from '../embedded-database-error.ts';

/** What a backup says about itself. */
export type BackupHeader = {
  format: 1;
  /** Version of the program that made it. */
  program: string;
  /** Major version of its PostgreSQL. */
  postgres: string;
  createdAt: string;
  /** The key of the stored secrets, when it was asked for. */
  secret?: string;
  /** The key before it, when it was asked for and something may still be sealed with it. */
  previousSecret?: string;
  /** The ids of the keys with which the stored secrets are sealed; earlier versions did not say. */
  keys?: readonly string[];
};

const KIND = 'keepwatch backup';

export function headerLine(header: BackupHeader): string {
  return `${JSON.stringify({ kind: KIND, ...header })}\n`;
}

/** @throws EmbeddedDatabaseError when the line does not begin a backup, or one of a later format */
export function parseHeader(line: string, file: string): BackupHeader {
  const found = fieldsOf(line);
  if (found['kind'] !== KIND) throw new EmbeddedDatabaseError(`${file} is not a backup of Keepwatch.`);
  const { format, program, postgres, createdAt, secret, previousSecret, keys } = found;
  if (format !== 1)
    throw new EmbeddedDatabaseError(
      `${file} was made by a newer version of this program. Restore it with that version.`,
    );
  return {
    format,
    program: String(program),
    postgres: String(postgres),
    createdAt: String(createdAt),
    ...(typeof secret === 'string' ? { secret } : {}),
    ...(typeof previousSecret === 'string' ? { previousSecret } : {}),
    ...(Array.isArray(keys) ? { keys: keys.map(String) } : {}),
  };
}

/** Refuses what this program cannot work with. */
export function checkVersions(header: BackupHeader, file: string, own: { program: string; postgres: string }): void {
  if (compareVersions(header.program, own.program) > 0)
    throw new EmbeddedDatabaseError(
      `${file} was made by version ${header.program}, this program is ${own.program}. Restore it with that version or a newer one.`,
    );
  if (header.postgres !== own.postgres)
    throw new EmbeddedDatabaseError(
      `${file} contains a database of PostgreSQL ${header.postgres}, this program carries ${own.postgres}. ` +
        `Restore it with version ${header.program} of the program.`,
    );
}

/** Negative when `a` is the older one of two versions like 2.10.0. */
export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
