import { createHmac } from 'node:crypto';
import { originOf } from '../drives/items/item-call.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { toCsv } from './report-table.ts';
import { usageReports } from './usage-reports.ts';

const lifetimeMs = 300_000;
const periods = ['D7', 'D30', 'D90', 'D180'];

const signatureOf = (tenantId: string, text: string) =>
  createHmac('sha256', 'sandbox reports').update(`${tenantId}/${text}`).digest('base64url');

/** Sends the client to a URL that gives the CSV for a few minutes without a token. */
function redirect(name: string) {
  return (call: GraphCall): GraphReply => {
    const { tenant, params } = call;
    const period = params['period'] ?? '';
    if (!periods.includes(period)) {
      throw new GraphError(
        400,
        'InvalidArgument',
        `Invalid period value specified: '${period}'. Supported: ${periods.join(', ')}.`,
      );
    }
    const text = `${name}.${period}.${tenant.nowMs() + lifetimeMs}`;
    const location = `${originOf(call)}/${tenant.id}/data/download/${text}.${signatureOf(tenant.id, text)}`;
    return { status: 302, headers: { location, 'content-type': 'text/plain' } };
  };
}

export const reportRoutes: readonly GraphRoute[] = Object.keys(usageReports).map((name) => ({
  method: 'GET',
  path: `/reports/${name}(period='{period}')`,
  handle: redirect(name),
  permissions: ['Reports.Read.All'],
}));

function download({ tenant, params }: GraphCall): GraphReply {
  const [name = '', period = '', expires = '', signature = ''] = (params['report'] ?? '').split('.');
  const isGood = signature === signatureOf(tenant.id, `${name}.${period}.${expires}`);
  const report = usageReports[name];
  if (!isGood || !report || Number(expires) < tenant.nowMs()) {
    throw new GraphError(403, 'Forbidden', 'The download URL is not valid any more: ask for the report again.');
  }
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}.csv"`,
  };
  return { status: 200, headers, body: toCsv(report.header, report.rows(tenant, period)) };
}

export const reportOpenRoutes: readonly GraphRoute[] = [
  { method: 'GET', path: '/{tenant}/data/download/{report}', handle: download },
];
