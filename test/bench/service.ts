import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A server in a separate process, so that its work is not measured with the client's. */
export interface Service {
  readonly url: string;
  readonly pid: number | undefined;
  /** Asks the server's process for what it has recorded. */
  ask<T>(question: unknown): Promise<T>;
  stop(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly question: unknown;
}

interface Answer {
  readonly id: number;
  readonly answer: unknown;
}

/** Starts the program of this name beside this file, which calls `serveParent`. */
export async function startService(name: string, ...args: readonly string[]): Promise<Service> {
  const program = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = fork(program, args, { serialization: "advanced" });
  child.once("exit", (code) => {
    if (code) console.error(`${name} ended with ${code}`);
  });
  const [{ url }] = (await once(child, "message")) as [{ readonly url: string }];
  const waiting = new Map<number, (answer: unknown) => void>();
  child.on("message", ({ id, answer }: Answer) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  let asked = 0;
  return {
    url,
    pid: child.pid,
    ask: <T>(question: unknown) => {
      asked += 1;
      const message: Question = { id: asked, question };
      return new Promise<T>((resolve) => {
        waiting.set(message.id, (answer) => resolve(answer as T));
        child.send(message);
      });
    },
    stop: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** The child's side: sends its address, answers questions, and ends when its parent does. */
export function serveParent(url: string, answer: (question: unknown) => unknown): void {
  process.on("message", async ({ id, question }: Question) => {
    const message: Answer = { id, answer: await answer(question) };
    process.send?.(message);
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.({ url });
}
