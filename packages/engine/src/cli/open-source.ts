import { z } from 'zod';
import { EngineError } from '../model/engine-error.ts';
import { CLOUDS, type Cloud } from '../source/graph/cloud.ts';
import { type GraphConnection, type GraphOptions, openGraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import type { Source } from '../source/source.ts';
import type { CommandContext, CommandOption } from './command.ts';
import { readTextFile } from './open-parts.ts';

/** How a command reaches a tenant. */
export const TENANT_OPTIONS: Readonly<Record<string, CommandOption>> = {
  tenant: {
    type: 'string',
    help: 'file with the tenant and its applications, as JSON (KEEPWATCH_TENANT); see docs/engine.md',
  },
};

const application = z.strictObject({
  clientId: z.string().min(1),
  secret: z.string().min(1).optional(),
  /** Path of a PEM file with key and certificate. */
  certificateFile: z.string().min(1).optional(),
});

const tenantFile = z.strictObject({
  cloud: z.enum(Object.keys(CLOUDS) as [Cloud, ...Cloud[]]).default('worldwide'),
  tenantId: z.string().min(1),
  applications: z.array(application).min(1),
  loginUrl: z.url().optional(),
  graphUrl: z.url().optional(),
  licences: z.int().positive().optional(),
});

/** The source that `--tenant` describes. @throws `bad-request` that names what is wrong in the file */
export async function openGivenSource(context: CommandContext): Promise<Source> {
  return openGraphSource(await openGivenConnection(context));
}

export async function openGivenConnection({ given, environment }: CommandContext): Promise<GraphConnection> {
  const path = given.text('tenant') ?? environment.KEEPWATCH_TENANT;
  if (path === undefined || path === '') {
    throw new EngineError('bad-request', 'Say which tenant: --tenant <file>, or KEEPWATCH_TENANT.');
  }
  return openGraphConnection(await readTenant(path));
}

async function readTenant(path: string): Promise<GraphOptions> {
  const result = tenantFile.safeParse(parseJson(await readTextFile(path), path));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new EngineError('bad-request', `${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}.`);
  }
  const { applications, loginUrl, graphUrl, licences, cloud, tenantId } = result.data;
  return {
    cloud,
    tenantId,
    applications: await Promise.all(applications.map((one) => credentialsOf(one, path))),
    ...(loginUrl === undefined ? {} : { loginUrl }),
    ...(graphUrl === undefined ? {} : { graphUrl }),
    ...(licences === undefined ? {} : { licences }),
  };
}

async function credentialsOf(
  { clientId, secret, certificateFile }: z.infer<typeof application>,
  path: string,
): Promise<GraphOptions['applications'][number]> {
  if (secret !== undefined && certificateFile === undefined) return { clientId, secret };
  if (secret !== undefined || certificateFile === undefined) {
    throw new EngineError(
      'bad-request',
      `${path}: the application ${clientId} needs either a secret or a certificateFile.`,
    );
  }
  const pem = await readTextFile(certificateFile);
  return { clientId, certificate: { privateKey: pem, certificate: pem } };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EngineError(
      'bad-request',
      `${path} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
