import { spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import type { Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PictureRequest, PictureTask, WorkerAnswer } from "../jobs.ts";
import { createFrameReader, encodeFrame } from "./frames.ts";

/** Why a child ended. */
export type WorkerEnd = "memory" | "time" | "asked" | "died";

export class ChildEnded extends Error {
  readonly end: WorkerEnd;
  /** Exit code or signal, and the last of what it wrote to stderr. */
  readonly detail: string;

  constructor(end: WorkerEnd, detail: string) {
    super(`picture worker ended (${end}): ${detail}`);
    this.end = end;
    this.detail = detail;
  }
}

export interface WorkerReply {
  readonly answer: Exclude<WorkerAnswer, { gone: unknown }>;
  readonly bytes: Buffer;
}

export type WorkerChild = ReturnType<typeof startChild>;

/** The environment variables that the child gets: it reads hostile bytes and needs no secret. */
const passedVariables = [
  "PATH",
  "LD_LIBRARY_PATH",
  "LD_PRELOAD",
  "DYLD_LIBRARY_PATH",
  "SystemRoot",
];

/** glibc keeps hundreds of megabytes after a large picture unless large blocks are mapped one by one. */
export const allocatorSettings = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "1048576" };

const fontSettings = {
  FONTCONFIG_FILE: fileURLToPath(new URL("../draw/fonts.conf", import.meta.url)),
};

const stderrKept = 2_000;

/** One child process, one job at a time. */
export function startChild(maxBytes: number) {
  const { child, pipe, stderr } = spawnWorker(maxBytes);
  let job: PromiseWithResolvers<WorkerReply> | undefined;
  let end: WorkerEnd | undefined;
  let stderrText = "";
  const gone = Promise.withResolvers<void>();
  let isAlive = true;

  /** An idle child must not keep the bot from ending; a working one must. */
  const hold = (held: "held" | "free") => {
    for (const handle of [child, pipe, stderr]) held === "held" ? handle.ref() : handle.unref();
  };
  const finish = (detail: string) => {
    if (!isAlive) return;
    isAlive = false;
    job?.reject(new ChildEnded(end ?? "died", `${detail} ${stderrText}`.trim()));
    job = undefined;
    gone.resolve();
  };

  stderr.setEncoding("utf8").on("data", (text: string) => {
    stderrText = (stderrText + text).slice(-stderrKept);
  });
  pipe.on("error", () => {}); // The exit that follows gives the reason.
  pipe.on(
    "data",
    createFrameReader((header, bytes) => {
      const answer = header as WorkerAnswer;
      if ("gone" in answer) {
        end ??= answer.gone;
        return;
      }
      hold("free");
      job?.resolve({ answer, bytes });
      job = undefined;
    }),
  );
  child.on("error", (error) => finish(error.message));
  child.on("close", (code, signal) => finish(String(signal ?? code)));
  hold("free");

  return {
    isAlive: () => isAlive && end === undefined,
    /** Rejects with ChildEnded. */
    run(request: PictureRequest, inputs: readonly Uint8Array[]): Promise<WorkerReply> {
      job = Promise.withResolvers();
      const { promise } = job;
      hold("held");
      if (!isAlive) finish("not running");
      const lengths = inputs.map(({ length }) => length);
      for (const part of encodeFrame({ request, lengths } satisfies PictureTask, inputs))
        pipe.write(part);
      return promise;
    },
    /** Kills it at once, whatever it is doing, and resolves when it is gone. */
    end(reason: WorkerEnd): Promise<void> {
      end ??= reason;
      if (isAlive) hold("held");
      child.kill("SIGKILL");
      return gone.promise;
    },
  };
}

function spawnWorker(maxBytes: number) {
  const script = fileURLToPath(new URL("./worker.ts", import.meta.url));
  const passed = passedVariables.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value]] : [];
  });
  const cache = getCompileCacheDir();
  const child = spawn(process.execPath, [script, String(maxBytes)], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: {
      ...Object.fromEntries(passed),
      ...allocatorSettings,
      ...fontSettings,
      // What a child compiles stays for the next one, in a folder below the bot's own cache.
      ...(cache !== undefined && { NODE_COMPILE_CACHE: join(cache, "pictures") }),
    },
    windowsHide: true,
  });
  // Node makes a socket of every "pipe" beyond the first three; its types know only streams.
  return { child, pipe: child.stdio[3] as Socket, stderr: child.stderr as Socket };
}
