import type { CauseReason } from '@keepwatch/contract/faults/values';
import type { FaultJob, Reach } from './cause.ts';
import { addressIn, isLoopback } from './host-names.ts';
import { isNamedIn } from './message-shape.ts';
import { accountIn, hostAfter, hostOfAccount, quotedAfter } from './named-things.ts';
import { silentServer } from './silent-server.ts';

/** What a message says is at fault. */
export interface KnownFault {
  why: Extract<CauseReason, 'server' | 'repository' | 'certificate' | 'licence' | 'credentials'>;
  /** `null`: the message does not name it. */
  subject: string | null;
  reach: Reach;
}

type Finder = (message: string, job: FaultJob) => KnownFault | null;

/** Returns what is at fault as far as the message says it in so many words; else `null`. */
export function knownFault(message: string, job: FaultJob): KnownFault | null {
  for (const find of FINDERS) {
    const found = find(message, job);
    if (found !== null) return found;
  }
  return null;
}

const LICENCE = [
  /\blicen[cs]es?\b[^.]{0,60}\b(?:expired|exceeded)\b/i,
  /\b(?:expired|exceeded|no valid|not enough)\b[^.]{0,40}\blicen[cs]es?\b/i,
];
/** Licences of persons are bought of others than the one of the backup server. */
const OF_PERSONS = /\b(?:mailbox|users?|microsoft ?365|office ?365)\b/i;

const licence: Finder = (message, { serverName }) => {
  if (!isAny(LICENCE, message) || OF_PERSONS.test(message)) return null;
  return { why: 'licence', subject: serverName, reach: reachOf(serverName !== null) };
};

const CERTIFICATE = [
  /\bcertificate\b[^.]{0,80}\bexpired\b/i,
  /\bexpired\b[^.]{0,40}\bcertificate\b/i,
  /\bCERT_HAS_EXPIRED\b/,
];

const certificate: Finder = (message) => {
  if (!isAny(CERTIFICATE, message)) return null;
  const subject = hostAfter(message, /\bcertificate (?:for|of) /i) ?? hostAfter(message, /\bhttps:\/\//i);
  return { why: 'certificate', subject, reach: 'company' };
};

const CREDENTIALS = [
  /\buser ?name or (?:the )?password (?:is|are) (?:not correct|incorrect|invalid|wrong)\b/i,
  /\b(?:incorrect|invalid|wrong|bad) (?:user ?name|password|credentials?|login)\b/i,
  /\b(?:log[io]n|log-on|authentication) (?:to [^:]{1,120} )?(?:failed|failure|was refused)\b/i,
  /\blogin failed for user\b/i,
  /\baccount is (?:currently )?(?:locked|disabled|expired)\b/i,
  /\bclient secret\b[^.]{0,80}\bexpired\b/i,
  /\bPermission denied \(publickey/i,
];

const credentials: Finder = (message, job) => {
  if (!isAny(CREDENTIALS, message)) return null;
  const account = accountIn(message);
  if (account !== null) return credentialsOf(account, message, job);
  return {
    why: 'credentials',
    subject: hostAfter(message, /\b(?:log[io]n|authentication) to /i),
    reach: 'company',
  };
};

/** Of a domain: `DOMAIN\name`, `name@domain`. Any other account is one of each host: every SQL server has an `sa`. */
const OF_DOMAIN = /^(?!\.\\)[^\\]+\\|@/u;

function credentialsOf(account: string, message: string, job: FaultJob): KnownFault {
  const host = OF_DOMAIN.test(account) ? null : hostOfAccount(message, account, job.serverName);
  if (host === null) return { why: 'credentials', subject: account, reach: 'company' };
  const isOwn = isLoopback(addressIn(host).host);
  return {
    why: 'credentials',
    subject: `${account} on ${isOwn ? (job.serverName ?? host) : host}`,
    reach: isOwn && job.serverName === null ? 'job' : 'company',
  };
}

const SPACE = [
  /\b(?:not enough|insufficient|no|out of) (?:free )?(?:disk )?space\b/i,
  /\bfree space on .{1,200} is low\b/iu,
  /\bENOSPC\b/,
];

const repository: Finder = (message, job) => {
  if (!isAny(SPACE, message)) return null;
  const { targetName, serverName } = job;
  if (targetName !== null && isNamedIn(message, targetName, 'repository'))
    return { why: 'repository', subject: targetName, reach: reachOf(serverName !== null) };
  const subject = quotedAfter(message, /\brepository /i) ?? hostAfter(message, /\brepository /i);
  return subject === null ? null : { why: 'repository', subject, reach: 'company' };
};

const server: Finder = (message, job) => {
  const found = silentServer(message, job.serverName);
  return found === null ? null : { why: 'server', ...found };
};

function reachOf(isOfServer: boolean): Reach {
  return isOfServer ? 'server' : 'company';
}

function isAny(patterns: readonly RegExp[], message: string): boolean {
  return patterns.some((pattern) => pattern.test(message));
}

/** The surest first: a message about a licence often mentions the server as well. */
const FINDERS: readonly Finder[] = [licence, certificate, credentials, repository, server];
