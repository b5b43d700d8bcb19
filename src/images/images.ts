import { availableParallelism } from "node:os";
import { InputError, ServiceError } from "../errors.ts";
import type { Backdropped, JobName, JobResult, PictureRequest } from "./jobs.ts";
import { asBuffer } from "./size.ts";
import type { Images, PictureTurn } from "./types.ts";
import { ChildEnded } from "./worker/child.ts";
import { estimateMemoryNeed } from "./worker/memory-need.ts";
import { createPool } from "./worker/pool.ts";

export interface CreateImagesOptions {
  /** Most child processes; each does one job at a time. When absent one fewer than the cores, at least one. */
  readonly workers?: number;
  /** A child that takes more resident memory is killed. 1.5 GiB when absent, because a WebP of 50 megapixels takes 1.2. */
  readonly maxWorkerBytes?: number;
  /**
   * A job that takes longer is killed with its child. 60 s when absent. Composing may take five times as long: its
   * picture has been paid for, and one of 50 megapixels takes a busy machine more than a minute.
   */
  readonly jobMs?: number;
  /** How much memory all running jobs together may need, by estimate; others wait in order. 1.5 GiB when absent. */
  readonly budgetBytes?: number;
  /** A child without work ends after this: 60 s when absent. */
  readonly idleMs?: number;
  /** Where it is logged that a worker died. */
  readonly log?: {
    warn(message: string, fields: Readonly<Record<string, unknown>>): void;
  };
}

const gibibyte = 1024 ** 3;

/** Starts nothing: the first job starts the first child. */
export function createImages(options: CreateImagesOptions = {}): Images {
  const { log, ...limits } = options;
  const pool = createPool({
    workers: Math.max(1, availableParallelism() - 1),
    maxWorkerBytes: 1.5 * gibibyte,
    jobMs: 60_000,
    budgetBytes: 1.5 * gibibyte,
    idleMs: 60_000,
    ...limits,
  });

  const runAs = async (
    turn: PictureTurn,
    request: PictureRequest,
    { inputs, signal }: { inputs: readonly Buffer[]; signal: AbortSignal | undefined },
  ) => {
    const need = estimateMemoryNeed(request, inputs);
    const reply = await pool
      .run({ onQueued: undefined, ...turn, request, inputs, needBytes: need, signal })
      .catch((error: unknown) => {
        if (!(error instanceof ChildEnded)) throw error;
        const { job } = request;
        const { end, detail, message } = error;
        log?.warn("picture worker ended", { job, end, detail });
        throw new ServiceError(message, {
          code: "picture_worker",
          // The cut-out has been paid for by then.
          outcome: job === "compose" ? "part" : "nothing",
          facts: { end },
          cause: error,
        });
      });
    if ("error" in reply.answer) {
      const { kind, message, options } = reply.answer.error;
      throw new (kind === "input" ? InputError : ServiceError)(message, options);
    }
    const { result, isSame } = reply.answer;
    return { ...result, bytes: isSame ? inputs[0] : reply.bytes };
  };

  const imagesFor = (turn: PictureTurn): Images => {
    const run: RunJob = (job, pictures, { signal, ...options }) => {
      const { backdrop }: Backdropped = options;
      const isOnPicture = backdrop?.kind === "picture";
      // A backdrop's picture is sent as bytes after the cut-out, not as JSON.
      const inputs = (isOnPicture ? [...pictures, backdrop.bytes] : pictures).map(asBuffer);
      const emptied = isOnPicture && { backdrop: { ...backdrop, bytes: new Uint8Array() } };
      const request = { job, options: { ...options, ...emptied } } as PictureRequest;
      // The worker answers with the result of the same job.
      return runAs(turn, request, { inputs, signal }) as Promise<never>;
    };
    return { of: imagesFor, ...createJobMethods(run), load: pool.load, close: pool.close };
  };
  return imagesFor({ tenant: "", person: "" });
}

/** The worker's answer is what the job's function in jobs.ts returns. */
type RunJob = <J extends JobName>(
  job: J,
  pictures: readonly Uint8Array[],
  options: CallOptions<J>,
) => Promise<JobResult<J>>;

type CallOptions<J extends JobName> = Extract<PictureRequest, { job: J }>["options"] & {
  readonly signal?: AbortSignal;
};

function createJobMethods(run: RunJob): Omit<Images, "of" | "load" | "close"> {
  const onPicture =
    <J extends JobName>(job: J) =>
    (picture: Uint8Array, options: CallOptions<J>) =>
      run(job, [picture], options);
  return {
    async inspect(bytes, options = {}) {
      const { format, width, height, frames } = await run("inspect", [bytes], options);
      return { format, width, height, frames };
    },
    async prove(result, options = {}) {
      await run("prove", [result], options);
    },
    prepare: onPicture("prepare"),
    fit: onPicture("fit"),
    compose: onPicture("compose"),
    square: onPicture("square"),
    thumbnail: onPicture("thumbnail"),
    sheet: async (pictures, options) => (await run("sheet", pictures, options)).bytes,
    preview: async (picture, options) => (await run("preview", [picture], options)).bytes,
    unwritable: async (title, options = {}) =>
      (await run("letters", [], { title, ...options })).missing,
    chart: async (options) => (await run("chart", [], options)).bytes,
  };
}
