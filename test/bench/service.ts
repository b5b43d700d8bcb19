import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A server in a process of its own, so that its work is not measured with the client's. */
export interface Service {
  readonly url: string;
  /** Asks the server's process for what it has noted. */
  ask<T>(question?: unknown): Promise<T>;
  stop(): Promise<void>;
}

/** What a server's process tells first, and what it answers. */
export type Told = { readonly url: string } | { readonly answer: unknown };

/** Starts the program of this name beside this file; it says `{ url }`, then `{ answer }` to each message. */
export async function startService(name: string, ...args: readonly string[]): Promise<Service> {
  const program = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = fork(program, args, { serialization: "advanced" });
  child.once("exit", (code) => {
    if (code) console.error(`${name} ended with ${code}`);
  });
  const told = async () => {
    const [message] = (await once(child, "message")) as [Told];
    return message;
  };
  const first = await told();
  if (!("url" in first)) throw new Error(`${name} told no address`);
  return {
    url: first.url,
    ask: async <T>(question: unknown = "report") => {
      child.send(question as object);
      const next = await told();
      return ("answer" in next ? next.answer : undefined) as T;
    },
    stop: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** The other side: tells the address, answers questions, ends with whoever asked. */
export function serveParent(url: string, answer: (question: unknown) => unknown): void {
  process.on("message", async (question) => process.send?.({ answer: await answer(question) }));
  process.on("disconnect", () => process.exit(0));
  process.send?.({ url });
}
