/** The test's side of `GET /api/events`: connections stay open, and `emit` sends an event to all of them. */
export function createEventSource() {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  return {
    connect(signal: AbortSignal | null): Response {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          open.add(controller);
          signal?.addEventListener('abort', () => {
            open.delete(controller);
            controller.error(signal.reason);
          });
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    emit(name: string): void {
      for (const controller of open) controller.enqueue(encoder.encode(`event: ${name}\ndata: {}\n\n`));
    },
  };
}
