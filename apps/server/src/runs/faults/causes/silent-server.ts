import type { Reach } from './cause.ts';
import { type Address, addressIn, isLoopback, isNoHost } from './host-names.ts';
import { firstHostIn } from './named-things.ts';

const HOST = String.raw`["']?(\[[\da-f:.]{2,60}\](?::\d{1,5})?|(?:::)?[\p{L}\p{Nd}][\p{L}\p{Nd}_.:-]{0,254})["']?`;
const KINDS = 'host|server|proxy|gateway|computer|machine|appliance';
const SILENT = [
  String.raw`\b(?:${KINDS}) ${HOST} (?:does not|did not) (?:answer|respond)\b`,
  String.raw`\b(?:${KINDS}) ${HOST} (?:is (?:not responding|not reachable|unreachable|offline|unavailable)|can ?not be reached)\b`,
  String.raw`\bconnect to host ${HOST} port (\p{Nd}{1,5}): (?:connection (?:timed out|refused)|no route to host)`,
  String.raw`\bdial tcp ${HOST}: (?:connect: (?:connection refused|no route to host)|i\/o timeout)`,
  String.raw`\bdial tcp: lookup ${HOST}(?: on [^ ]{1,60})?: (?:no such host|server misbehaving)`,
  String.raw`\bconnect (?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH) ${HOST}`,
  String.raw`\bconnection to server at ${HOST}(?: \([^)]{1,60}\))?, port (\p{Nd}{1,5}) failed: connection refused`,
  String.raw`\bconnection refused\s+is the server running on host ${HOST}(?: \([^)]{1,60}\))? and accepting TCP\/IP connections on port (\p{Nd}{1,5})`,
  String.raw`\bconnection refused: (?:[\w.-]{1,255}\/)?${HOST}`,
  String.raw`\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) ${HOST}`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** "Cannot reach" says it of the host, "cannot connect" perhaps of a service on it. */
const NO_CONNECTION =
  /\b(?:can ?not|could not|can't|unable to|failed to) (reach|contact|connect to|establish (?:a )?connection (?:to|with)) /iu;
/** How far after "cannot connect to" it may say that the connection was refused. */
const REACH_LENGTH = 300;

/** What does not answer. */
interface Silent {
  subject: string;
  reach: Reach;
}

/** Returns the server, or the service on it, that a message says does not answer. */
export function silentServer(message: string, serverName: string | null): Silent | null {
  const found = inSurePhrase(message, serverName) ?? afterNoConnection(message, serverName);
  return found === null ? null : silent(found, serverName);
}

interface Found extends Address {
  /** The host does answer, and refuses: it is the service at this port that is down. */
  isRefused: boolean;
}

function inSurePhrase(message: string, serverName: string | null): Found | null {
  for (const pattern of SILENT) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const [text, name = '', port = null] = found;
    const address = addressIn(name);
    if (!isNameOfHost(address.host, serverName)) continue;
    return { host: address.host, port: port ?? address.port, isRefused: /refused/i.test(text) };
  }
  return null;
}

/** A word that could be any (`the server process is unavailable`) is no name, unless it is that of the job's server. */
function isNameOfHost(name: string, serverName: string | null): boolean {
  return (/[\p{Nd}.-]/u.test(name) && !isNoHost(name)) || isLoopback(name) || isSame(name, serverName);
}

function afterNoConnection(message: string, serverName: string | null): Found | null {
  const phrase = NO_CONNECTION.exec(message);
  if (phrase === null) return null;
  const at = phrase.index + phrase[0].length;
  const text = message.slice(at, at + REACH_LENGTH);
  const name = firstHostIn(text, serverName);
  if (name === null) return null;
  const address = addressIn(name);
  const port = address.port ?? /\bport (\p{Nd}{1,5})\b/iu.exec(text)?.[1] ?? null;
  // It says no more than that something on the same computer does not answer.
  if (port === null && isLoopback(address.host)) return null;
  const isRefused = !/^(?:reach|contact)$/i.test(phrase[1] ?? '') && /\brefused\b/i.test(text);
  return { host: address.host, port, isRefused };
}

/** On the computer itself it is always a service that does not answer, and the computer is the job's own server. */
function silent({ host, port, isRefused }: Found, serverName: string | null): Silent {
  const isOwn = isLoopback(host);
  const name = isOwn ? (serverName ?? host) : host;
  const subject = port !== null && (isRefused || isOwn) ? `${name}:${port}` : name;
  if (isSame(name, serverName)) return { subject, reach: 'server' };
  return { subject, reach: isOwn ? 'job' : 'company' };
}

function isSame(name: string, other: string | null): boolean {
  return other !== null && name.toLowerCase() === other.toLowerCase();
}
