import { connect } from '../../engine.ts';
import { OBJECT_KINDS, type ObjectKind } from '../../model/protected-object.ts';
import type { GraphOptions } from '../../source/graph/connection.ts';
import type { Permission } from '../../source/graph/permissions.ts';
import type { Command, CommandEnd } from '../command.ts';
import { explainError } from '../explain-error.ts';
import { OUTPUT_OPTIONS } from '../open-parts.ts';
import { readGivenTenant, TENANT_OPTIONS } from '../open-source.ts';
import type { Output } from '../output.ts';
import { printEvents } from '../print-events.ts';

export const tenantCheck: Command = {
  words: '',
  options: {
    ...TENANT_OPTIONS,
    kinds: {
      type: 'string',
      help: `what is to be backed up: one or several of ${OBJECT_KINDS.join(', ')} (default: all)`,
    },
    ...OUTPUT_OPTIONS,
  },
  examples: [['--kinds mailbox,archive', 'whether mailboxes can be read and written']],
  async run({ given, output, environment, signal }) {
    const kinds = given.someOf('kinds', OBJECT_KINDS);
    const options = await readGivenTenant({ given, environment });
    let end: CommandEnd = 'Success';
    for (const application of options.applications) {
      const one = await check({ ...options, applications: [application] }, kinds, signal, output);
      if (end === 'Success' || one === 'Failed') end = one;
    }
    return end;
  },
};

/** One application at a time: what one may do says nothing of the others. */
async function check(
  options: GraphOptions,
  kinds: readonly ObjectKind[],
  signal: AbortSignal,
  output: Output,
): Promise<CommandEnd> {
  const { grantedPermissions } = await import('../../source/graph/permissions.ts');
  const [application] = options.applications;
  if (application === undefined) return 'Failed';
  const { clientId } = application;
  try {
    const granted = await grantedPermissions(options, application);
    output.say(`The application ${clientId} signs in to the tenant ${options.tenantId}.`, {
      clientId,
      tenantId: options.tenantId,
    });
    const end = granted === null ? sayUnknown(clientId, output) : await reportMissing(granted, kinds, clientId, output);
    await askOnce(options, signal, output);
    if (kinds.length === 0 || kinds.includes('site')) await checkSharePoint(options, clientId, output);
    return end;
  } catch (error) {
    const { message, code } = explainError(error);
    output.problem(message, { code, clientId });
    return 'Failed';
  }
}

/** Signing in proves the identity platform alone; this proves Graph, and the way to it. */
async function askOnce(options: GraphOptions, signal: AbortSignal, output: Output): Promise<void> {
  await (await connect(options, printEvents(output).onEvent)).ask({ path: '/users?$top=1&$select=id', signal });
}

/** What SharePoint itself lets the application do. Without it backups are made, and say what is not in them. */
async function checkSharePoint(options: GraphOptions, clientId: string, output: Output): Promise<void> {
  const { missingPermissions, rolesOf, SHAREPOINT_PERMISSIONS } = await import('../../source/graph/permissions.ts');
  const { sharePoint } = await connect(options, printEvents(output).onEvent);
  if (sharePoint === null) {
    const text =
      'Files attached to rows of lists, and roles of persons and groups in sites, are not backed up: SharePoint gives them to applications with a certificate alone.';
    output.problem(text, { code: 'certificate-missing', clientId });
    return;
  }
  const granted = rolesOf(await sharePoint.token());
  const missing = granted === null ? [] : missingPermissions(granted, SHAREPOINT_PERMISSIONS);
  if (missing.length === 0) return;
  output.rows(
    missing.map(({ name, use, without }) => ({
      'missing permission': `${name} of SharePoint`,
      for: `${use}, optional`,
      without,
    })),
  );
}

function sayUnknown(clientId: string, output: Output): CommandEnd {
  output.problem('Its token does not show which permissions it has.', { code: 'permissions-unknown', clientId });
  return 'Warning';
}

async function reportMissing(
  granted: ReadonlySet<string>,
  kinds: readonly ObjectKind[],
  clientId: string,
  output: Output,
): Promise<CommandEnd> {
  const { missingPermissions } = await import('../../source/graph/permissions.ts');
  const isMeant = (permission: Permission) =>
    kinds.length === 0 || permission.kinds.some((kind) => kinds.includes(kind));
  const missing = missingPermissions(granted).filter(isMeant);
  if (missing.length === 0) {
    output.say('It has every permission that backup and restore need.', { clientId, missing: [] });
    return 'Success';
  }
  output.rows(
    missing.map(({ name, use, without, isOptional }) => ({
      'missing permission': name,
      for: isOptional === true ? `${use}, optional` : use,
      without,
    })),
  );
  const forBackup = missing.filter(({ use, isOptional }) => use === 'backup' && isOptional !== true);
  const advice =
    'Add them to the application as application permissions of Microsoft Graph, and let an administrator consent.';
  const text = forBackup.length === 0 ? `Backups can be made. ${advice}` : `Backups would not be complete. ${advice}`;
  output.problem(text, { code: 'consent-missing', clientId, missing: missing.map(({ name }) => name) });
  return forBackup.length === 0 ? 'Success' : 'Warning';
}
