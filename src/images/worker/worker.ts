import { flushCompileCache } from "node:module";
import { Socket } from "node:net";
import { constants, setPriority } from "node:os";
import { type PictureTask, runPictureJob, type WorkerAnswer } from "../jobs.ts";
import { createFrameReader, encodeFrame } from "./frames.ts";

/** The pipe to the parent: `stdio[3]` in child.ts. */
const pipeDescriptor = 3;
/** A decoder takes some 10 MB in this time. */
const memoryCheckMs = 5;
/** By then a picture's memory is free again. */
const lingerMs = 200;

/** Entry point of the child process: reads jobs from the pipe, one at a time, until the pipe closes. */
function serve(maxBytes: number): void {
  const pipe = new Socket({ fd: pipeDescriptor, readable: true, writable: true });
  const answer = (words: WorkerAnswer, bytes?: Buffer) => {
    for (const part of encodeFrame(words, bytes && [bytes])) pipe.write(part);
  };
  pipe.on(
    "data",
    createFrameReader(async (header, payload) => {
      const { request, lengths } = header as PictureTask;
      // libvips works in other threads, so this timer is punctual.
      const watch = setInterval(() => {
        if (process.memoryUsage.rss() <= maxBytes) return;
        answer({ gone: "memory" });
        process.kill(process.pid, "SIGKILL");
      }, memoryCheckMs);
      let at = 0;
      const inputs = lengths.map((length) => {
        at += length;
        return payload.subarray(at - length, at);
      });
      const { answer: words, bytes } = await runPictureJob(request, inputs);
      answer(words, bytes);
      // A worker that keeps too much ends now, not during the next picture.
      setTimeout(() => clearInterval(watch), lingerMs);
      // It is killed in the end, and would take with it what it has compiled.
      flushCompileCache();
    }),
  );
  // Nothing here needs saving, and an orderly exit would wait for libvips to finish its picture.
  pipe.on("close", () => process.kill(process.pid, "SIGKILL"));
  pipe.on("error", () => pipe.destroy());
}

/**
 * When the whole process group gets a signal to stop, the parent decides: it finishes its work first and then closes the pipe.
 */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

/** The bot's answers to Discord come before pictures when both want the processor. */
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Not allowed everywhere, and not needed.
}

serve(Number(process.argv[2]));
