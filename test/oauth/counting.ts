import { startServer } from "../http/server.ts";

/**
 * A proxy that records every request and forwards it. If the connection to the target breaks, so does the one to the
 * client.
 */
export async function counting(target: string) {
  let held: { readonly arrived: () => void; readonly until: Promise<void> } | undefined;
  const server = await startServer(async ({ headers, body }, response) => {
    held?.arrived();
    await held?.until;
    try {
      const type = headers["content-type"] ?? "";
      const answer = await fetch(target, {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": type },
        body: new Uint8Array(body),
      });
      const text = await answer.text();
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
    } catch {
      response.socket?.destroy();
    }
  });
  return {
    ...server,
    /** Holds requests back until they are let through; `arrived` resolves when the first has come. */
    hold() {
      const arrived = Promise.withResolvers<void>();
      const passing = Promise.withResolvers<void>();
      held = { arrived: arrived.resolve, until: passing.promise };
      return { arrived: arrived.promise, letThrough: passing.resolve };
    },
  };
}
