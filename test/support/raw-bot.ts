import { WebSocket } from "ws";
import type { Platform } from "../../src/sandbox/platform/index.ts";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

export interface Sending {
  readonly body?: unknown;
  /** Sent as `files[n]` next to `payload_json`. */
  readonly files?: readonly File[];
  readonly token?: string;
}

/** An interaction, and the requests with which a bot may answer it. */
export interface Answering extends ReturnType<typeof answeringBy> {
  readonly interaction: Readonly<Record<string, unknown>> & {
    readonly id: string;
    readonly token: string;
  };
}

/** A bot without a library: it sends exactly what a test tells it to. */
export type RawBot = Awaited<ReturnType<typeof startRawBot>>;

export async function send(
  platform: Platform,
  method: string,
  path: string,
  { body, files = [], token = platform.token }: Sending = {},
): Promise<Answered> {
  const init: RequestInit & { headers: Record<string, string> } = {
    method,
    headers: { authorization: `Bot ${token}` },
  };
  if (files.length > 0) {
    const form = new FormData();
    form.set("payload_json", JSON.stringify(body ?? {}));
    for (const [index, file] of files.entries()) form.set(`files[${index}]`, file);
    init.body = form;
  } else if (body !== undefined) {
    init.headers["content-type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  const response = await fetch(`${platform.url}/api/v10${path}`, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === "" ? undefined : JSON.parse(text),
  };
}

/** The requests that an application may make with an interaction's token. */
export function answeringBy(platform: Platform, { id, token }: { id: string; token: string }) {
  return {
    callback: (body: unknown, query = "", files: readonly File[] = []) =>
      send(platform, "POST", `/interactions/${id}/${token}/callback${query}`, { body, files }),
    webhook: (method: string, path: string, body?: unknown, files: readonly File[] = []) => {
      const address = `/webhooks/${platform.applicationId}/${token}${path}`;
      return send(platform, method, address, { body, files });
    },
  };
}

/** Identifies, with no intents by default; resolves with READY. */
export async function startRawBot(platform: Platform, intents = 0) {
  const socket = new WebSocket(`${platform.url.replace("http", "ws")}/gateway?v=10&encoding=json`);
  let isClosed = false;
  let work: (answering: Answering) => Promise<unknown> = async () => undefined;

  function begin(interaction: Answering["interaction"]): void {
    const done = work({ interaction, ...answeringBy(platform, interaction) });
    // Requests still under way when a test ends may fail; every other error must be seen.
    done.catch((error: unknown) => {
      if (!isClosed) throw error;
    });
  }

  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (raw) => {
      const packet = JSON.parse(String(raw));
      if (packet.op === 10) {
        const d = { token: platform.token, intents, properties: { os: "test" } };
        socket.send(JSON.stringify({ op: 2, d }));
      }
      if (packet.t === "READY") resolve();
      if (packet.t === "INTERACTION_CREATE") begin(packet.d);
    });
  });

  return {
    /** Sets what is done with interactions from now on. */
    answer: (next: (answering: Answering) => Promise<unknown>) => {
      work = next;
    },
    send: (method: string, path: string, sending?: Sending) =>
      send(platform, method, path, sending),
    close: () => {
      isClosed = true;
      socket.close(1_000);
    },
  };
}
