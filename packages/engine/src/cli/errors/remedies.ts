import type { EngineError, Remedy } from '../../model/engine-error.ts';

/** The engine speaks to all programs: here alone its errors get the names of commands and options. */
const REMEDIES: Readonly<Record<Remedy, string>> = {
  'accept-loss': "'rebuild --accept-loss' does that.",
  'choose-restore-point': '--at takes that instant.',
  'choose-retention': 'Give --keep-days <days>, or --before <day or instant>.',
  'choose-target': "--to says where, --tenant in which organization; 'tenant objects' lists what there is.",
  'correct-target': "Check --to, and --tenant, which says in which organization; 'tenant objects' lists what there is.",
  'export-instead': "'export' does that.",
  'list-objects': "'objects' lists what there is.",
  'restore-into-folder': "'restore --into' says into which folder.",
  verify: "'verify' does that.",
};

/** The message of an error, with what a user of the command line does about it. */
export function withRemedy({ message, remedy }: EngineError): string {
  return remedy === null ? message : `${message} ${REMEDIES[remedy]}`;
}
