import { Agent, request } from "node:http";

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string;
}

export type WebClient = ReturnType<typeof createWebClient>;

/** A client for a server on loopback that sends exactly what it is given. */
export function createWebClient(port: number, { sockets = 4 } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  return {
    /** `target` is sent unchanged; `fetch` would correct it and add its own headers. */
    ask: (path: string, { method = "GET", headers = {}, body }: Asked = {}) =>
      new Promise<Answered>((resolve, reject) => {
        const isSized = body !== undefined && !("Transfer-Encoding" in headers);
        const length = isSized ? { "Content-Length": Buffer.byteLength(body) } : {};
        const sent = request(
          { host: "127.0.0.1", port, path, method, headers: { ...length, ...headers }, agent },
          (response) => {
            const chunks: Buffer[] = [];
            response.on("data", (chunk) => chunks.push(chunk));
            response.on("error", reject);
            response.on("end", () => {
              const { "set-cookie": cookies = [], ...rest } = response.headers;
              resolve({
                status: response.statusCode ?? 0,
                headers: rest as Record<string, string>,
                cookies,
                body: Buffer.concat(chunks).toString(),
              });
            });
          },
        );
        sent.on("error", reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
