import { startServer } from "../http/server.ts";

/** Passes everything on, and keeps what came; a cut behind it is a cut before it. */
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
    /** Holds requests back until they are let through; `arrived` resolves when the first of them has come. */
    hold() {
      const arrived = Promise.withResolvers<void>();
      const passing = Promise.withResolvers<void>();
      held = { arrived: arrived.resolve, until: passing.promise };
      return { arrived: arrived.promise, letThrough: passing.resolve };
    },
  };
}
