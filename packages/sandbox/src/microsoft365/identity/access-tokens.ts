import { createHmac } from 'node:crypto';
import type { Caller } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';

/** What a token grants: who may do what, and until when. */
export interface Grant extends Caller {
  tenantId: string;
  expiresMs: number;
  /** For whom it is; default: Microsoft Graph. */
  audience?: string;
  /** Whether the application proved itself with a certificate. */
  hasCertificate?: boolean;
}

const GRAPH = 'https://graph.microsoft.com';

/**
 * The access tokens that were issued. They look like the vendor's (a JWT whose claims can be read: `tid`, `appid`, `roles`,
 * `scp`, `oid`, `exp`) and are good only if they were issued here.
 */
export class AccessTokens {
  private readonly grants = new Map<string, Grant>();
  private readonly nowMs: () => number;
  private issued = 0;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  issue(grant: Grant): string {
    this.issued += 1;
    const permissions = [...grant.permissions];
    const claims = {
      aud: grant.audience ?? GRAPH,
      iss: `https://sts.windows.net/${grant.tenantId}/`,
      iat: Math.floor(this.nowMs() / 1000),
      exp: Math.floor(grant.expiresMs / 1000),
      appid: grant.applicationId,
      tid: grant.tenantId,
      uti: this.issued.toString(36),
      ...(grant.userId === null ? { roles: permissions } : { oid: grant.userId, scp: permissions.join(' ') }),
    };
    const text = [{ typ: 'JWT', alg: 'RS256' }, claims].map((part) => base64url(JSON.stringify(part))).join('.');
    const token = `${text}.${createHmac('sha256', 'sandbox').update(text).digest('base64url')}`;
    this.grants.set(token, grant);
    return token;
  }

  /** @throws GraphError 401 for no token, an unknown one, one for others or one that has expired */
  read(authorization: string | undefined, audience = GRAPH): Grant {
    if (!authorization) throw unauthenticated('Access token is empty.');
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const grant = token === undefined ? undefined : this.grants.get(token);
    if (!grant) throw unauthenticated('IDX14100: JWT is not well formed, or its signature is not valid.');
    if ((grant.audience ?? GRAPH) !== audience)
      throw unauthenticated('Access token validation failure. Invalid audience.');
    if (grant.expiresMs <= this.nowMs()) {
      throw unauthenticated('Lifetime validation failed, the token is expired.');
    }
    return grant;
  }

  /** Ends every token that is out, as when an administrator revokes sessions. */
  revokeAll(): void {
    this.grants.clear();
  }
}

function unauthenticated(message: string): GraphError {
  const headers = { 'www-authenticate': 'Bearer realm="", authorization_uri="", error="invalid_token"' };
  return new GraphError(401, 'InvalidAuthenticationToken', message, headers);
}

const base64url = (text: string) => Buffer.from(text).toString('base64url');
