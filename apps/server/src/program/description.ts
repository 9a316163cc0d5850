import { calls, capabilities } from '@keepwatch/contract/calls';
import type { FastifyInstance } from 'fastify';
import { describeCalls } from '../foundation/http/openapi/openapi.ts';

/** Serves the description of all calls, from which clients are generated. */
export function addDescription(server: FastifyInstance, version: string): void {
  const description = JSON.stringify(describeCalls({ calls, capabilities, version }));
  server.get('/api/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
}
