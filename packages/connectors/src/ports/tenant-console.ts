import type { Testable } from '../base/manifest.ts';
import type { Read, SourceCompany } from './backup-source.ts';
import type { ConsoleAccounts } from './console-accounts.ts';

/** `TenantConsole`: a console in which companies run or protect machines. It knows the companies, and reports no jobs here. */
export interface TenantConsole extends Testable {
  listCompanies(signal: AbortSignal): AsyncIterable<Read<SourceCompany>>;
  accounts: ConsoleAccounts;
}
