/** One server-sent event. Without a name it is called `message`, as the standard says. */
export interface ServerSentEvent {
  name: string;
  data: string;
}

/** Reads a body of type `text/event-stream` (WHATWG HTML, "Server-sent events"); comments and ids are passed over. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let name = 'message';
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield { name, data: data.join('\n') };
      name = 'message';
      data = [];
    } else if (line.startsWith('event:')) name = fieldValue(line);
    else if (line.startsWith('data:')) data.push(fieldValue(line));
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    reader.releaseLock();
  }
}

function fieldValue(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '');
}
