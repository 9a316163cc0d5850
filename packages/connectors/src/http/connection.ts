import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Agent, buildConnector } from 'undici';
import { isRefusedInDigits, type ResolveName } from '../base/addresses.ts';
import { addressRefusal, checkedLookup } from './checked-lookup.ts';
import { thumbprintRefusal } from './thumbprint.ts';

export interface ConnectionOptions {
  connectTimeoutMs: number;
  allowPrivateAddresses: boolean;
  /** As `parseThumbprint` returns it; `null`: the usual check against the known authorities. */
  thumbprint: string | null;
  resolveName: ResolveName;
}

/**
 * Sockets to one vendor. Address and certificate are checked before a single byte of a request (and so of a credential)
 * is sent. With a thumbprint exactly that certificate is accepted, self-signed or not, and no other, trusted or not.
 */
export function openConnection(options: ConnectionOptions): Dispatcher {
  const { allowPrivateAddresses, thumbprint } = options;
  const connect = buildConnector({
    timeout: options.connectTimeoutMs,
    lookup: checkedLookup(options.resolveName, allowPrivateAddresses),
    rejectUnauthorized: thumbprint === null,
    // A resumed TLS session shows no certificate, so none is stored.
    maxCachedSessions: 0,
  });
  return new Agent({
    connect: (target, callback) => {
      if (!allowPrivateAddresses && isRefusedInDigits(target.hostname)) {
        callback(addressRefusal(target.hostname), null);
        return;
      }
      connect(target, (...[error, socket]) => {
        const refusal = error ?? (thumbprint === null ? null : pinRefusal(socket, thumbprint, target.hostname));
        if (refusal) callback(refusal, null);
        else if (socket) callback(null, socket);
      });
    },
  });
}

/** Why a socket may not be used with a pinned certificate, or `null`. A refused socket is closed. */
function pinRefusal(socket: Socket, thumbprint: string, host: string): Error | null {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  const refusal = thumbprintRefusal(certificate, thumbprint, host);
  if (refusal) socket.destroy();
  return refusal;
}
