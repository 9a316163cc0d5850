/** "RE: ", "Fwd: ", "AW: ": up to three letters and a colon, [MS-OXCMSG] 3.2.4.4. */
const PREFIX = /^\p{L}{1,3}: /u;

export function splitSubject(subject: string): { prefix: string; rest: string } {
  const prefix = PREFIX.exec(subject)?.[0] ?? '';
  return { prefix, rest: subject.slice(prefix.length) };
}
