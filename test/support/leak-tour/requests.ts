import diagnostics from "node:diagnostics_channel";

/** A request that this process sent through undici, as the bot sends all of its requests. */
export interface Sent {
  readonly origin: string;
  readonly path: string;
  readonly headers: string;
  /** The beginning of the body, one character for each byte. */
  readonly body: string;
}

interface ServiceMessage {
  readonly request: {
    readonly origin: string | URL;
    readonly path: string;
    readonly headers: readonly unknown[] | string;
  };
  readonly chunk?: string | Uint8Array;
}

const longestBody = 65_536;

/** Records every request from now on: Node's fetch and all copies of undici publish theirs on the same channels. */
export function logRequests() {
  const sent: { origin: string; path: string; headers: string; body: string }[] = [];
  const open = new WeakMap<object, { body: string }>();

  const created = (message: unknown) => {
    const { request } = message as ServiceMessage;
    const { origin, path, headers } = request;
    const lines = Array.isArray(headers) ? headers.map(String).join("\n") : String(headers);
    const noted = { origin: new URL(String(origin)).origin, path, headers: lines, body: "" };
    open.set(request, noted);
    sent.push(noted);
  };
  const chunkSent = (message: unknown) => {
    const { request, chunk = "" } = message as ServiceMessage;
    const noted = open.get(request);
    if (noted === undefined || noted.body.length > longestBody) return;
    noted.body += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("latin1");
  };
  diagnostics.subscribe("undici:request:create", created);
  diagnostics.subscribe("undici:request:bodyChunkSent", chunkSent);
  return {
    sent,
    stop: () => {
      diagnostics.unsubscribe("undici:request:create", created);
      diagnostics.unsubscribe("undici:request:bodyChunkSent", chunkSent);
    },
  };
}
