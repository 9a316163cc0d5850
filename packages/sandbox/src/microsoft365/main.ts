import { parseArgs } from 'node:util';
import { behaveAsRealTenants } from './behaviours/demonstration.ts';
import { startTenant } from './server.ts';
import { tenantSizes } from './tenant-facts.ts';

/** Ends the program with one line for a person instead of a stack. */
function giveUp(reason: string): never {
  console.error(`The tenant cannot start: ${reason}`);
  process.exit(1);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '3650' },
        host: { type: 'string', default: '127.0.0.1' },
        seed: { type: 'string', default: '1' },
        size: { type: 'string', default: 'small' },
        tenants: { type: 'string', default: '1' },
        latency: { type: 'string', default: '0' },
        control: { type: 'boolean', default: false },
        'no-budgets': { type: 'boolean', default: false },
        kind: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return giveUp(error instanceof Error ? error.message : String(error));
  }
}

const values = readOptions();

function wholeNumber(name: 'port' | 'seed' | 'tenants' | 'latency', least: number, most: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return giveUp(`--${name} is '${values[name]}', but must be a whole number from ${least} to ${most}`);
}

const size = tenantSizes.find((known) => known === values.size);
if (!size) giveUp(`--size is '${values.size}', but must be one of ${tenantSizes.join(', ')}`);

const running = await startTenant({
  port: wholeNumber('port', 0, 65_535),
  host: values.host,
  seed: wholeNumber('seed', 0, 0x7fffff),
  size,
  tenants: wholeNumber('tenants', 1, 100),
  latencyMs: wholeNumber('latency', 0, 60_000),
  control: values.control,
  budgets: !values['no-budgets'],
}).catch((error: unknown) => giveUp(error instanceof Error ? error.message : String(error)));

if (!values.kind) for (const { tenant } of running.all) behaveAsRealTenants(tenant);

console.log(`Microsoft 365 ready at ${running.url} (login and Graph both)`);
for (const { tenantId, domain, application } of running.all) {
  console.log(`  tenant        ${tenantId} ${domain}
  client id     ${application.clientId}
  client secret ${application.clientSecret}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void running.stop());
