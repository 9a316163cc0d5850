import type { CauseReason } from '@keepwatch/contract/faults/values';
import type { FaultJob } from './cause.ts';
import { accountIn, firstHostIn, hostAfter, quotedAfter } from './named-things.ts';

/** What a message says is at fault. */
export interface KnownFault {
  why: Extract<CauseReason, 'server' | 'repository' | 'certificate' | 'licence' | 'credentials'>;
  /** `null`: the message does not name it. */
  subject: string | null;
  /** It is the job's own server, or the repository of that: one thing for all companies whose jobs use it. */
  isOfServer: boolean;
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
  return { why: 'licence', subject: serverName, isOfServer: serverName !== null };
};

const CERTIFICATE = [
  /\bcertificate\b[^.]{0,80}\bexpired\b/i,
  /\bexpired\b[^.]{0,40}\bcertificate\b/i,
  /\bCERT_HAS_EXPIRED\b/,
];

const certificate: Finder = (message) => {
  if (!isAny(CERTIFICATE, message)) return null;
  const subject = hostAfter(message, /\bcertificate (?:for|of) /i) ?? hostAfter(message, /\bhttps:\/\//i);
  return { why: 'certificate', subject, isOfServer: false };
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

const credentials: Finder = (message) => {
  if (!isAny(CREDENTIALS, message)) return null;
  const subject = accountIn(message) ?? hostAfter(message, /\b(?:log[io]n|authentication) to /i);
  return { why: 'credentials', subject, isOfServer: false };
};

const SPACE = [
  /\b(?:not enough|insufficient|no|out of) (?:free )?(?:disk )?space\b/i,
  /\bfree space on .{1,200} is low\b/iu,
  /\bENOSPC\b/,
];

const repository: Finder = (message, job) => {
  if (!isAny(SPACE, message)) return null;
  const { targetName, serverName } = job;
  if (targetName !== null && contains(message, targetName))
    return { why: 'repository', subject: targetName, isOfServer: serverName !== null };
  const subject = quotedAfter(message, /\brepository /i) ?? hostAfter(message, /\brepository /i);
  return subject === null ? null : { why: 'repository', subject, isOfServer: false };
};

const HOST = String.raw`["']?([\p{L}\p{Nd}][\p{L}\p{Nd}_.:-]{0,254})["']?`;
const SILENT = [
  `\\b(?:host|server|proxy|gateway|computer|machine|appliance) ${HOST} (?:does not|did not) (?:answer|respond)\\b`,
  `\\b(?:host|server|proxy|gateway|computer|machine|appliance) ${HOST} (?:is (?:not responding|not reachable|unreachable|offline|unavailable)|can ?not be reached)\\b`,
  String.raw`\bconnect to host ${HOST} port \p{Nd}{1,5}: (?:connection (?:timed out|refused)|no route to host)`,
  String.raw`\bdial tcp ${HOST}: (?:connect: (?:connection refused|no route to host)|i\/o timeout)`,
  String.raw`\bdial tcp: lookup ${HOST}(?: on [^ ]{1,60})?: (?:no such host|server misbehaving)`,
  String.raw`\bconnect (?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH) ${HOST}`,
  String.raw`\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) ${HOST}`,
].map((pattern) => new RegExp(pattern, 'iu'));
const NO_CONNECTION =
  /\b(?:can ?not|could not|can't|unable to|failed to) (?:reach|contact|connect to|establish (?:a )?connection (?:to|with)) /i;

const server: Finder = (message, job) => {
  const silent = SILENT.map((pattern) => pattern.exec(message)?.[1]).find((host) => host !== undefined);
  const found = silent ?? firstHostIn(message, NO_CONNECTION, job.serverName);
  if (found === null) return null;
  const name = withoutPort(found);
  if (silent !== undefined && !isHostOf(name, job)) return null;
  return { why: 'server', subject: name, isOfServer: isSame(name, job.serverName) };
};

/** A word that could be any (`the server process is unavailable`) is no name, unless it is that of the job's server. */
function isHostOf(name: string, { serverName }: FaultJob): boolean {
  return /[\p{Nd}.-]/u.test(name) || isSame(name, serverName);
}

function withoutPort(host: string): string {
  return host.replace(/[.:-]+$/, '').replace(/^([^:]+):\d{1,5}$/, '$1');
}

function isSame(name: string, other: string | null): boolean {
  return other !== null && name.toLowerCase() === other.toLowerCase();
}

function contains(message: string, name: string): boolean {
  return name.length > 2 && message.toLowerCase().includes(name.toLowerCase());
}

function isAny(patterns: readonly RegExp[], message: string): boolean {
  return patterns.some((pattern) => pattern.test(message));
}

/** The surest first: a message about a licence often mentions the server as well. */
const FINDERS: readonly Finder[] = [licence, certificate, credentials, repository, server];
