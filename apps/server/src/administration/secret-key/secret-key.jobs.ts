import { type JobWork, work } from '../../foundation/jobs.ts';
import { type ResealServices, resealSecrets, resealSecretsJob } from './reseal-secrets.ts';

export const secretKeyJobs: JobWork<ResealServices>[] = [
  work(resealSecretsJob, (services: ResealServices, _payload, signal) => resealSecrets(services, signal)),
];
