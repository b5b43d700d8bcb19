import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Answer, Request, Task } from "../jobs.ts";
import { frame, frameReader } from "./frames.ts";

/** Why a child is no more. */
export type End = "memory" | "time" | "asked" | "died";

export class ChildEnded extends Error {
  readonly end: End;
  /** Exit code or signal, and the last of what it wrote to stderr. */
  readonly detail: string;

  constructor(end: End, detail: string) {
    super(`picture worker ended (${end}): ${detail}`);
    this.end = end;
    this.detail = detail;
  }
}

export interface Reply {
  readonly answer: Exclude<Answer, { gone: unknown }>;
  readonly bytes: Buffer;
}

/** One child process, one job at a time. */
export interface Child {
  readonly isAlive: () => boolean;
  /** Rejects with ChildEnded. */
  run(request: Request, inputs: readonly Uint8Array[]): Promise<Reply>;
  /** Ends it at once, whatever it is doing, and resolves when it is gone. */
  end(reason: End): Promise<void>;
}

/** What the child may know of the environment: it reads hostile bytes and needs no secret. */
const passedOn = ["PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "SystemRoot"];

/** glibc keeps hundreds of megabytes after a large picture unless large blocks are mapped one by one. */
export const allocator = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "1048576" };

const stderrKept = 2_000;

export function startChild(maxBytes: number): Child {
  const { child, pipe, stderr } = spawnWorker(maxBytes);
  let job: PromiseWithResolvers<Reply> | undefined;
  let end: End | undefined;
  let words = "";
  const gone = Promise.withResolvers<void>();
  let isAlive = true;

  /** An idle child must not keep the bot from ending; a working one must. */
  const hold = (held: "held" | "free") => {
    for (const handle of [child, pipe, stderr]) held === "held" ? handle.ref() : handle.unref();
  };
  const finish = (detail: string) => {
    if (!isAlive) return;
    isAlive = false;
    job?.reject(new ChildEnded(end ?? "died", `${detail} ${words}`.trim()));
    job = undefined;
    gone.resolve();
  };

  const onFrame = (header: unknown, bytes: Buffer) => {
    const answer = header as Answer;
    if ("gone" in answer) {
      end ??= answer.gone;
      return;
    }
    hold("free");
    job?.resolve({ answer, bytes });
    job = undefined;
  };

  stderr.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-stderrKept);
  });
  pipe.on("error", () => {}); // The exit that follows says more.
  pipe.on("data", frameReader(onFrame));
  child.on("error", (error) => finish(error.message));
  child.on("close", (code, signal) => finish(String(signal ?? code)));
  hold("free");

  return {
    isAlive: () => isAlive && end === undefined,
    run(request, inputs) {
      job = Promise.withResolvers();
      const { promise } = job;
      hold("held");
      if (!isAlive) finish("not running");
      const lengths = inputs.map(({ length }) => length);
      for (const part of frame({ request, lengths } satisfies Task, inputs)) pipe.write(part);
      return promise;
    },
    end(reason) {
      end ??= reason;
      if (isAlive) hold("held");
      child.kill("SIGKILL");
      return gone.promise;
    },
  };
}

function spawnWorker(maxBytes: number) {
  const script = fileURLToPath(new URL("./worker.ts", import.meta.url));
  const child = spawn(process.execPath, [script, String(maxBytes)], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: { ...environment(), ...allocator },
    windowsHide: true,
  });
  // Node makes a socket of every "pipe" beyond the first three; its types know only streams.
  return { child, pipe: child.stdio[3] as Socket, stderr: child.stderr as Socket };
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
}
