import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { EngineError } from '../model/engine-error.ts';
import { CLOUDS, type Cloud } from '../source/graph/cloud.ts';
import type { GraphOptions } from '../source/graph/connection.ts';
import { readTextFile } from './text/text-file.ts';

const application = z.strictObject({
  clientId: z.string().min(1),
  secret: z.string().min(1).optional(),
  /** Path of a PEM file with key and certificate, from the folder of the tenant file. */
  certificateFile: z.string().min(1).optional(),
});

const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

const tenantFile = z.strictObject({
  cloud: z.enum(Object.keys(CLOUDS) as [Cloud, ...Cloud[]]).default('worldwide'),
  tenantId: z.string().min(1),
  applications: z.array(application).min(1),
  loginUrl: address.optional(),
  graphUrl: address.optional(),
  sharePointUrl: address.optional(),
  licences: z.int().positive().optional(),
});

/** How a tenant is reached, as docs/engine.md describes the file. @throws `bad-request` that names what is wrong in it */
export async function readTenantFile(path: string): Promise<GraphOptions> {
  const result = tenantFile.safeParse(parseJson(await readTextFile(path), path));
  if (!result.success) {
    const [issue] = result.error.issues;
    const where = issue?.path.join('.') ?? '';
    throw new EngineError(
      'bad-request',
      `${path}: ${where === '' ? '' : `${where}: `}${issue?.message}. docs/engine.md describes the file.`,
    );
  }
  const { applications, loginUrl, graphUrl, sharePointUrl, licences, cloud, tenantId } = result.data;
  return {
    cloud,
    tenantId,
    applications: await Promise.all(applications.map((one) => credentialsOf(one, path))),
    ...(loginUrl === undefined ? {} : { loginUrl }),
    ...(graphUrl === undefined ? {} : { graphUrl }),
    ...(sharePointUrl === undefined ? {} : { sharePointUrl }),
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
  const pem = await readTextFile(resolve(dirname(path), certificateFile));
  return { clientId, certificate: { privateKey: pem, certificate: pem } };
}

/** What the parser says of the text is not repeated: it would quote a secret. */
function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{feff}/u, ''));
  } catch (cause) {
    const at = /position \d+( \(line \d+ column \d+\))?|Unexpected end/.exec(
      cause instanceof Error ? cause.message : '',
    )?.[0];
    throw new EngineError(
      'bad-request',
      `${path} is not JSON${at === undefined ? '' : ` (${at})`}. docs/engine.md shows what it contains.`,
    );
  }
}
