import type { FastifyReply } from 'fastify';

/** Where a call sends the browser. */
export interface Redirect {
  /** A path of this portal, or an address of http or https. */
  to: string;
}

/** Answers 302. Throws for an address that a browser would read as a program, or as another host where a path is meant. */
export function sendRedirect(reply: FastifyReply, { to }: Redirect): FastifyReply {
  const target = new URL(to, HERE);
  const isPath = to.startsWith('/') && target.origin === HERE;
  const isAddress = /^https?:\/\//i.test(to) && target.host !== '';
  if (!isPath && !isAddress)
    throw new Error('A call redirects to an address that is neither a path nor http or https.');
  return reply.redirect(isPath ? target.href.slice(HERE.length) : target.href, 302);
}

/** A placeholder for the host at which the portal is opened; `.invalid` has no owner (RFC 6761). */
const HERE = 'http://portal.invalid';
