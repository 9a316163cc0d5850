import { EngineError, SignInError } from '@keepwatch/engine/engine';
import type { Refusal } from '../../foundation/errors.ts';
import { ENGINE_CODES, engineRefusal, refusing as refusingAs } from '../engine-refusal.ts';
import { refusedField } from './entered.ts';

/** Fields that Microsoft's refusals of a sign-in are about; https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
const FIELD_OF: Readonly<Record<number, string>> = {
  90002: 'officeOrganizationName',
  700016: 'applicationId',
  7000215: 'applicationSecret',
  7000222: 'applicationSecret',
  700027: 'applicationCertificate',
  700023: 'applicationCertificate',
};

/** Does work at Microsoft; what a user can correct is thrown as the refusal of the call, by field where it is about one. */
export function refusing<T>(path: string, work: () => Promise<T>): Promise<T> {
  return refusingAs(work, (error) => (error instanceof EngineError ? refusalOf(error, path) : error));
}

function refusalOf(error: EngineError, path: string): Refusal {
  const field = fieldOf(error);
  if (field !== undefined) return refusedField(`${path}.${field}`, error.message);
  return engineRefusal(error, 409, CODES);
}

function fieldOf(error: EngineError): string | undefined {
  if (error.code === 'certificate-expired' || error.code === 'bad-request') return 'applicationCertificate';
  if (!(error instanceof SignInError)) return undefined;
  return error.numbers.map((number) => FIELD_OF[number]).find((field) => field !== undefined);
}

const CODES = {
  ...ENGINE_CODES,
  'source-unreachable': 'MICROSOFT_UNREACHABLE',
  'source-refused': 'MICROSOFT_REFUSED',
} as const;
