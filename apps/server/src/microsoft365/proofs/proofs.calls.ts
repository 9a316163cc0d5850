import type { Microsoft365JobDetail } from '@keepwatch/contract/microsoft365/jobs';
import { listProofs, startProof } from '@keepwatch/contract/microsoft365/proofs';
import { change } from '../../audit/change.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { requireFeature } from '../engine/engine-features.ts';
import { findJob } from '../jobs/jobs.ts';
import { hasPoint } from '../repositories/counted-points.ts';
import { runProofJob } from './run-proof.job.ts';
import { insertProof, listStoredProofs } from './stored-proofs.ts';

/** The calls about proofs that jobs can be restored. */
export const proofCalls: Route[] = [
  answer(listProofs, async ({ database, scope }, { params: { jobId }, query }) => {
    const job = await findJob(database, scope, jobId);
    if (job === null) throw notFound('m365 job');
    requireFeature(job, 'proofs');
    return listStoredProofs(database, { providerId: scope.providerId, id: jobId }, query);
  }),

  answer(startProof, async (context, { params: { jobId: id } }) => {
    const { queue, scope, actor } = context;
    const { providerId } = scope;
    const proofId = await change(context, { kind: 'm365-job', id }, async (connection) => {
      const job = await findJob(connection, scope, id);
      if (job === null) return null;
      requireFeature(job, 'proofs');
      if (!(await hasPoint(connection, { providerId, id })))
        throw new Refusal(409, 'NO_RESTORE_POINT', withoutPoint(job));
      const made = await insertProof(connection, { providerId, id }, actor.username, context.now());
      if (made === null) throw new Refusal(409, 'PROOF_RUNNING', running(job.name));
      await queue.send(connection, runProofJob, { providerId, proofId: made });
      return { result: made, after: { proofId: made }, live: ['m365-jobs.changed'] };
    });
    return { data: { proofId } };
  }),
];

const withoutPoint = ({ name, repositoryName }: Microsoft365JobDetail) =>
  `The repository "${repositoryName}" has no restore point of the job "${name}" to prove. Run it first.`;
const running = (name: string) => `The job "${name}" is being proved now. Wait for its end.`;
