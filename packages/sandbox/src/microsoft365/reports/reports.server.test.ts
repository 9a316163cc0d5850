import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { usageReports } from './usage-reports.ts';

let tenant: RunningTenant;
let client: TenantClient;

beforeAll(async () => {
  tenant = await startTenant({ now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
});
afterAll(() => tenant.stop());

/** Follows the redirection without the token, as the vendor wants it. */
async function report(name: string, period = 'D30') {
  const { status, headers } = await client.get(`/reports/${name}(period='${period}')`);
  expect(status).toBe(302);
  const response = await fetch(headers.get('location') ?? '');
  const lines = (await response.text())
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\n');
  return {
    url: headers.get('location') ?? '',
    header: lines[0]?.split(',') ?? [],
    rows: lines.slice(1).map((line) => line.split(',')),
  };
}

test.each(Object.keys(usageReports))(
  '%s has its documented columns, and a row of as many cells for everyone',
  async (name) => {
    const { header, rows } = await report(name);
    expect(header).toEqual(usageReports[name]?.header);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter((row) => row.length !== header.length)).toEqual([]);
    expect(rows.every(([day]) => day === '2026-11-19')).toBe(true);
  },
);

test('storage of OneDrive is what the drives say', async () => {
  const { header, rows } = await report('getOneDriveUsageAccountDetail');
  const at = (name: string) => header.indexOf(name);
  const row = rows.find((cells) => cells[at('Owner Principal Name')]?.startsWith('ada'));
  const drive = tenant.tenant.drives.ofUser(`ada.lindqvist@${tenant.domain}`);
  expect(row?.[at('Storage Used (Byte)')]).toBe(String(drive?.root.size));
});

test('a tenant that conceals names gives hashes in their place', async () => {
  tenant.tenant.reports.concealsNames = true;
  try {
    const { rows } = await report('getMailboxUsageDetail');
    expect(rows.every(([, name]) => /^[0-9A-F]{32}$/.test(name ?? ''))).toBe(true);
  } finally {
    tenant.tenant.reports.concealsNames = false;
  }
});

test('an unknown period is refused, and a download URL is good for some minutes', async () => {
  expect((await client.get("/reports/getMailboxUsageDetail(period='D8')")).status).toBe(400);
  const { url } = await report('getMailboxUsageDetail');
  tenant.advance(300_001);
  expect((await fetch(url)).status).toBe(403);
});
