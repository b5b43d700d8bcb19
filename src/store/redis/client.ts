import { createClient } from "@keyv/redis";
import { answerMs } from "../deadline.ts";

export type RedisClient = Awaited<ReturnType<typeof connectRedis>>;

const mostPauseMs = 1000;

/**
 * Connects, and connects again by itself for as long as the client is open; meanwhile calls wait, and fail in time.
 * @throws whatever the first attempt ends with.
 */
export async function connectRedis(url: string) {
  let isConnected = false;
  const client = createClient({
    url,
    // A call that was not sent in that time never will be, so that "nothing was changed" stays true.
    commandOptions: { timeout: answerMs - 1000 },
    // The ping keeps an idle connection busy; one that stays silent all the same is given up.
    pingInterval: answerMs / 3,
    socket: {
      connectTimeout: answerMs,
      socketTimeout: answerMs,
      reconnectStrategy: (retries, cause) =>
        isConnected ? Math.min(20 * 2 ** retries, mostPauseMs) * (0.5 + Math.random()) : cause,
    },
  });
  // Without a listener the process would end. Each call that suffers says so itself.
  client.on("error", () => undefined);
  await client.connect();
  isConnected = true;
  return client;
}

const refusals: readonly string[] = ["ErrorReply", "SimpleError", "BlobError"];
const unsent: readonly string[] = ["TimeoutError", "ClientClosedError"];

/** The server's own word. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && refusals.includes(error.constructor.name);
}

/** The call never left this process. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && unsent.includes(error.constructor.name);
}
