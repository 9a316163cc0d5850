import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is the same for every value of a cookie. Scripts cannot read it, and other sites cannot make a browser send it. */
export interface CookieSettings {
  name: string;
  /** Sent with requests below this path alone. */
  path: string;
  maxAgeSeconds: number;
  /** No other host can set it, its subdomains included: with https its name says so (`__Host-`), which asks for the path `/`. */
  isOfHost?: boolean;
}

/** The cookies of one request. A call that needs none never sees them. */
export interface Cookies {
  /** A token of ours; `null` where there is none, or something that cannot be one. */
  token(cookie: CookieSettings): string | null;
  setToken(cookie: CookieSettings, token: string): void;
}

/** `isSecure`: people open the portal by https, and the cookie is never sent without. */
export function cookiesOf(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): Cookies {
  const nameOf = ({ name, isOfHost = false }: CookieSettings) => (isOfHost && isSecure ? `__Host-${name}` : name);
  return {
    token(cookie) {
      const parts = (request.headers.cookie ?? '').split('; ').map((part) => part.split('='));
      const value = parts.find(([key]) => key === nameOf(cookie))?.[1] ?? '';
      return /^[\w-]{43}$/.test(value) ? value : null;
    },
    setToken(cookie, token) {
      const { path, maxAgeSeconds } = cookie;
      const rules = ['HttpOnly', 'SameSite=Strict', ...(isSecure ? ['Secure'] : [])];
      reply.header(
        'set-cookie',
        [`${nameOf(cookie)}=${token}`, `Path=${path}`, `Max-Age=${maxAgeSeconds}`, ...rules].join('; '),
      );
    },
  };
}
