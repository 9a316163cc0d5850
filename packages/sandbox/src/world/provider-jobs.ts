import type { Provider } from './companies.ts';
import type { ServerJob } from './job.ts';
import { textHash, uid } from './random.ts';
import type { Repository } from './repositories.ts';
import { everyDay, localDaily } from './schedule.ts';
import type { Server } from './servers.ts';

/** The provider's own jobs: they belong to no company of the list, and their server is its own. */
export function buildProviderJobs(provider: Provider, server: Server, repository: Repository | undefined): ServerJob[] {
  return ['Keystone Core VMs', 'Keystone Domain Controllers', 'Keystone Billing Database'].map((name, index) => {
    const id = textHash(`${provider.uid}/job/${index}`);
    return {
      id,
      uid: uid(id, 70),
      name,
      company: undefined,
      organizationUid: provider.uid,
      organizationName: provider.name,
      offsetMinutes: 60,
      server,
      schedule: localDaily(22 * 60 + 20 * index, everyDay, 60),
      after: undefined,
      character: 'steady',
      messages: 'vm',
      objects: [`KST-CORE0${index + 1}`],
      sourceBytes: (index + 1) * 400 * 1024 ** 3,
      changeShare: 0.03,
      bytesPerSecond: 60 * 1024 ** 2,
      repository,
      retriesMax: 3,
      retryWaitMs: 600_000,
      createdMs: Date.UTC(2020, 5, 1),
      product: 'server',
      type: 'BackupVm',
      instanceUid: uid(id, 105),
      platform: 'VSphere',
      system: 'Windows',
    };
  });
}
