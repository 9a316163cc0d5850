import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * A server that closes ends by itself the connections that rest between two requests. One on which nothing was ever sent it takes for
 * a request whose head is still to come, and waits a minute for it; browsers open such connections in advance.
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
