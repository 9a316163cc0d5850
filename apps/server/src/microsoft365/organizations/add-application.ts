import type { addApplication as call } from '@keepwatch/contract/microsoft365/applications';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { conflict } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { type Application, openApplication, type Proof, readApplications } from './applications.ts';
import { connectNew } from './connect-new.ts';
import { type Connected, connectExisting, requireTenant } from './connected.ts';
import { forgetCode } from './device-codes.ts';
import { applicationIdOf, readPem, refusedField } from './entered.ts';
import type { OrganizationServices } from './organization-services.ts';
import { requireConnected, type StoredOrganization } from './organizations.ts';
import { replaceApplications } from './replace-applications.ts';

type Body = CallInput<typeof call>['body'];

/** More of them help little: Microsoft limits the whole tenant, too. */
const MOST = 10;

/** Adds an application that backs up beside those of an organization: a new one by a sign-in, or one that is there. */
export async function addApplication(parts: OrganizationServices, context: ChangingContext, id: string, body: Body) {
  const { scope, database } = context;
  const stored = await requireConnected(database, scope, id);
  const before = await readApplications(database, { providerId: scope.providerId, id });
  const known = before.map((one) => openApplication(parts.secrets, id, one));
  requireRoom(stored, known);
  const connected = await connect(parts, context, stored, known, body);
  const added = connected.applications.find(({ purpose }) => purpose === 'backup');
  if (added === undefined) throw new Error('An application was connected and is not there.');
  const { proof: _proof, ...shown } = added;
  const replacement = { id, before, applications: [...known, added] };
  const data = await replaceApplications(parts, context, replacement, () => ({ after: { application: shown } }));
  if (body.userCode !== undefined) await forgetCode(context, { companyId: stored.companyId, userCode: body.userCode });
  const missing = connected.missing.filter(({ use }) => use === 'backup');
  return { data, missing, consentUrl: missing.length === 0 ? null : connected.consentUrl };
}

async function connect(
  parts: OrganizationServices,
  context: ChangingContext,
  stored: StoredOrganization,
  known: readonly Application[],
  body: Body,
): Promise<Connected> {
  const { region, services, companyId, tenantId } = stored;
  if (body.userCode !== undefined) {
    const used = { userCode: body.userCode, companyId, region, organization: stored, path: 'body' };
    const name = body.name ?? nextName(stored, known);
    const admit = async () => undefined;
    return connectNew(parts, context, {
      used,
      region,
      services,
      name,
      applicationId: null,
      purposes: ['backup'],
      admit,
    });
  }
  const applicationId = applicationIdOf({ settings: body, path: 'body' });
  requireOther(stored, known, applicationId);
  const existing = { officeName: tenantId, region, services, applicationId, proof: proofOf(body), path: 'body' };
  const connected = await context.outside((gone) => connectExisting(parts.microsoft, existing, gone));
  requireTenant(connected, stored);
  const named = (one: Application) => ({ ...one, name: body.name ?? one.name });
  return { ...connected, applications: connected.applications.map(named) };
}

/** `Backup Contoso Ltd 2` */
function nextName({ name }: StoredOrganization, known: readonly Application[]): string {
  const all = known.filter(({ purpose }) => purpose === 'backup');
  return `${all[0]?.name ?? `Backup ${name}`} ${all.length + 1}`;
}

function proofOf({ applicationSecret: secret = '', applicationCertificate: pem = '' }: Body): Proof {
  if (pem !== '') return { certificate: readPem(pem, 'body.applicationCertificate') };
  if (secret !== '') return { secret };
  throw refusedField(
    'body.applicationCertificate',
    "must be the application's certificate with its private key, or applicationSecret a secret of it",
  );
}

function requireRoom({ name }: StoredOrganization, known: readonly Application[]): void {
  const all = known.filter(({ purpose }) => purpose === 'backup');
  if (all.length === 0)
    throw conflict(`${name} is connected without an application. Edit the organization to connect it with one first.`);
  if (all.length >= MOST)
    throw conflict(`${name} has ${MOST} applications. More do not help: Microsoft limits the whole tenant, too.`);
}

function requireOther({ name }: StoredOrganization, known: readonly Application[], applicationId: string): void {
  if (!known.some((one) => one.applicationId === applicationId)) return;
  throw conflict(`${name} has this application already. Enter another one.`);
}
