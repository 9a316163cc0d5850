import type { LookupAddress } from 'node:dns';
import type { BackupSource } from './backup-source.ts';
import type { RequestLimits } from './request-limits.ts';

/**
 * What a connector says of itself: enough to draw its settings form, to check what was typed into it and to open it.
 * `secret` fields are encrypted at rest and never leave the server again.
 */
export interface SettingField {
  name: string;
  label: string;
  hint: string;
  kind: 'url' | 'text' | 'secret';
  isRequired: boolean;
}

export interface BackupSourceManifest {
  /** The vendor's name in paths and filters: `vac`, `vcd`, `zerto`. */
  kind: string;
  label: string;
  settings: readonly SettingField[];
  /** Opens the source. Pure: no request is made before the first method is called. Throws a `SourceError` for settings that cannot be. */
  open(settings: Readonly<Record<string, string>>, context: SourceContext): BackupSource;
}

/** What the outside gives every connector. */
export interface SourceContext {
  now(): Date;
  /** Whether addresses of private networks and of this machine may be called (see ALLOW_PRIVATE_ADDRESSES). */
  allowPrivateAddresses: boolean;
  log(level: 'debug' | 'warn', message: string, details: Record<string, unknown>): void;
  /** Bounds that differ from the usual ones, for slow vendors and for tests. */
  limits?: Partial<RequestLimits>;
  /** Waits between attempts; ends at once with the signal's reason when it is aborted. Left out: real time. */
  wait?: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Looks names up. Left out: the system's resolver. */
  resolveName?: (name: string) => Promise<readonly LookupAddress[]>;
}
