import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Ends connections on which nothing was ever sent when the server closes. The server itself ends only those that are idle between two
 * requests; for the others, which browsers open in advance, it waits a minute for the head of a request.
 */
export function endUnusedConnections(server: FastifyInstance): void {
  const open = new Set<Socket>();
  let isClosing = false;
  server.server.on('connection', (socket) => {
    if (isClosing) socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}
