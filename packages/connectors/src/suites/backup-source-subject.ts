import type { ConnectorContext } from '../base/connector-context.ts';
import type { Manifest } from '../base/manifest.ts';
import type { BackupSource, FailedEntity, Read, SourceJob } from '../ports/backup-source.ts';
import { DATA_SOURCE_GROUPS } from '../ports/backup-source.ts';
import { quiet } from '../testing/context.ts';

/** What the suite makes go wrong; a vendor's harness knows how. They concern the list of companies, `garbage` and `same-page` all. */
export type SuiteFault =
  | { kind: 'throttle'; retryAfterSeconds: number; times: number }
  | { kind: 'hang' | 'garbage' | 'same-page' | 'cut' | 'half-page' | 'bad-entity' };

/** A vendor to run the suite against: a sandbox that speaks the vendor's own wire. */
export interface Harness {
  manifest: Manifest<BackupSource>;
  settings: Readonly<Record<string, string>>;
  /** What to change in the settings so that they are wrong in one way. */
  wrong: { credentials: Record<string, string>; thumbprint: Record<string, string>; address: Record<string, string> };
  /** What the secret settings hold. */
  secrets: readonly string[];
  setFault(fault: SuiteFault | null): void;
  stop(): Promise<void>;
}

/** The vendor under test, as the parts of the suite see it. */
export interface Subject {
  harness(): Harness;
  /** Opens the source with the right settings, but for those given. */
  open(wrong?: Record<string, string>, context?: ConnectorContext): BackupSource;
  setFault(fault: SuiteFault): void;
}

export async function drain<T>(reads: AsyncIterable<Read<T>>): Promise<{ values: T[]; failed: FailedEntity[] }> {
  const values: T[] = [];
  const failed: FailedEntity[] = [];
  for await (const read of reads) {
    if ('value' in read) values.push(read.value);
    else failed.push(read.failed);
  }
  return { values, failed };
}

export async function allJobs(source: BackupSource): Promise<SourceJob[]> {
  const jobs: SourceJob[] = [];
  for (const group of DATA_SOURCE_GROUPS) jobs.push(...(await drain(source.listJobs(group, quiet()))).values);
  return jobs;
}

export async function companyIds(source: BackupSource): Promise<string[]> {
  return (await drain(source.listCompanies(quiet()))).values.map((company) => company.externalId);
}
