import type { VideoServer } from "./video/index.ts";

const leastMs = 40_000;
const mostMs = 90_000;

/** Lets a visitor comment every now and then until it is closed; it holds no process. */
export function startVisiting(
  { chat }: Pick<VideoServer, "chat">,
  random: () => number,
): { close(): Promise<void> } {
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(visit, leastMs + random() * (mostMs - leastMs)).unref();
  };
  const visit = () => {
    chat(random);
    wait();
  };
  wait();
  return { close: async () => clearTimeout(timer) };
}
