import { afterEach, describe, expect, it } from 'vitest';
import { drain } from '../suites/backup-source-subject.ts';
import type { Console } from '../testing/console.ts';
import { startConsole, uidOf } from '../testing/console.ts';
import { quiet } from '../testing/context.ts';
import { COMPANY } from '../testing/entities.ts';
import { companies } from './companies.ts';
import { listComputers } from './computers.ts';
import { listLicenceUsage } from './licence-usage.ts';
import { list } from './listing.ts';
import { listRepositories } from './repositories.ts';

let running: Console;
afterEach(() => running.stop());

describe('companies', () => {
  it('carry contact data where there is any, and say whether they are active', async () => {
    const _embedded = { organization: { name: 'A', email: 'a@a.test', phone: '' } };
    running = await startConsole({
      'organizations/companies': [
        { instanceUid: uidOf(1), name: 'A', status: 'Active', _embedded },
        { instanceUid: uidOf(2), name: 'B', status: 'Disabled' },
        { instanceUid: uidOf(3), name: '', status: 'Active' },
      ],
    });
    const { values, failed } = await drain(list(running.client, companies, quiet()));
    expect(values).toEqual([
      { externalId: uidOf(1), name: 'A', isActive: true, email: 'a@a.test', phone: null },
      { externalId: uidOf(2), name: 'B', isActive: false, email: null, phone: null },
    ]);
    expect(failed).toMatchObject([{ externalId: uidOf(3), reason: expect.stringContaining('name') }]);
  });
});

describe('repositories', () => {
  it('belong to the company of their server, and omit sizes that are not available', async () => {
    const _embedded = {
      capacity: 100,
      isCapacityAvailable: true,
      freeSpace: 0,
      isFreeSpaceAvailable: false,
      usedSpace: 60,
      isUsedSpaceAvailable: true,
      type: 'LinuxHardened',
      path: '/backups',
      hostName: 'repo1',
      status: 'Healthy',
    };
    running = await startConsole({
      'infrastructure/backupServers': [{ instanceUid: uidOf(500), name: 'VBR01', organizationUid: COMPANY }],
      'infrastructure/backupServers/repositories': [
        { instanceUid: uidOf(1), name: 'Main', backupServerUid: uidOf(500), _embedded },
        { instanceUid: uidOf(2), name: 'Other', backupServerUid: uidOf(999), _embedded: null },
      ],
    });
    const { values } = await drain(listRepositories(running.client, quiet()));
    expect(values).toMatchObject([
      {
        companyExternalId: COMPANY,
        kind: 'LinuxHardened',
        serverName: 'repo1',
        capacityBytes: 100,
        freeBytes: null,
        usedBytes: 60,
      },
      { companyExternalId: null, serverName: null, capacityBytes: null, status: null },
    ]);
  });
});

describe('computers', () => {
  it('belong to the company of their management agent, or of the rule that found them', async () => {
    const info = {
      hostName: 'PC1',
      fqdn: 'pc1.a.test',
      guestOs: 'Windows 11',
      platformType: 'Windows',
      ipAddresses: ['10.0.0.1'],
    };
    const states = {
      status: 'Online',
      backupAgentInstallationStatus: 'Installed',
      backupAgentManagementStatus: 'Unknown',
    };
    const agent = { instanceUid: uidOf(10), organizationUid: COMPANY, lastHeartbeatTime: '2026-03-10T11:59:00Z' };
    running = await startConsole({
      'infrastructure/managementAgents': [agent],
      'discovery/rules': [{ instanceUid: uidOf(20), companyUid: uidOf(901) }],
      'discovery/computers': [
        { instanceUid: uidOf(1), managementAgentUid: uidOf(10), ruleUid: null, ...states, info },
        { instanceUid: uidOf(2), managementAgentUid: null, ruleUid: uidOf(20), ...states, info },
        { instanceUid: uidOf(3), ...states, info: { ...info, ipAddresses: null } },
        { instanceUid: uidOf(4), ...states },
      ],
    });
    const { values, failed } = await drain(listComputers(running.client, quiet()));
    expect(values[0]).toEqual({
      externalId: uidOf(1),
      companyExternalId: COMPANY,
      hostName: 'PC1',
      fqdn: 'pc1.a.test',
      operatingSystem: 'Windows 11',
      platform: 'Windows',
      ipAddresses: ['10.0.0.1'],
      status: 'Online',
      agentInstallationStatus: 'Installed',
      agentManagementStatus: 'Unknown',
      lastSeenAt: new Date('2026-03-10T11:59:00Z'),
    });
    expect(values.slice(1)).toMatchObject([
      { companyExternalId: uidOf(901), lastSeenAt: null },
      { companyExternalId: null, ipAddresses: [] },
    ]);
    expect(failed).toMatchObject([{ entity: 'computer', externalId: uidOf(4) }]);
  });
});

describe('licence usage', () => {
  it('is a line a workload and server, with parts of units, and one bad organization does not hide the others', async () => {
    const workload = {
      description: 'Workstations',
      unitType: 'Points',
      usedCount: 3,
      usedUnits: 1.5,
      newUnits: 0,
      rentalUnits: 2,
    };
    const servers = [{ serverUid: uidOf(500), workloads: [workload, { ...workload, description: 'VMs' }] }];
    running = await startConsole({
      'licensing/usage/organizations': [
        { organizationUid: COMPANY, servers },
        { organizationUid: uidOf(2), servers: [{ workloads: [{ ...workload, usedUnits: -1 }] }] },
      ],
    });
    const { values, failed } = await drain(listLicenceUsage(running.client, quiet()));
    expect(values.map((usage) => usage.workload)).toEqual(['Workstations', 'VMs']);
    expect(values[0]).toMatchObject({
      companyExternalId: COMPANY,
      serverExternalId: uidOf(500),
      usedUnits: 1.5,
      unitType: 'Points',
    });
    expect(failed).toMatchObject([{ entity: 'licence usage', externalId: uidOf(2) }]);
  });
});
