import { availableParallelism } from "node:os";
import { ServiceError } from "../errors.ts";
import { errorFromWire, type PictureRequest } from "./jobs.ts";
import { asBuffer } from "./size.ts";
import type {
  ComposedCutout,
  ComposeOptions,
  FittedPicture,
  Images,
  PictureInfo,
  PictureTurn,
  ServiceReadyPicture,
  SquarePicture,
  ThumbnailOptions,
  ThumbnailPicture,
} from "./types.ts";
import { ChildEnded } from "./worker/child.ts";
import { estimateMemoryNeed } from "./worker/memory-need.ts";
import { createPool } from "./worker/pool.ts";

/** Where it is logged that a worker died. */
interface ImagesLog {
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

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
  readonly log?: ImagesLog;
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
    { pictures, signal }: { pictures: readonly Uint8Array[]; signal: AbortSignal | undefined },
  ) => {
    const inputs = pictures.map(asBuffer);
    const need = estimateMemoryNeed(request, inputs);
    const reply = await pool
      .run({ onQueued: undefined, ...turn, request, inputs, needBytes: need, signal })
      .catch((error: unknown) => {
        if (!(error instanceof ChildEnded)) throw error;
        log?.warn("picture worker ended", {
          job: request.job,
          end: error.end,
          detail: error.detail,
        });
        throw workerFailure(request, error);
      });
    if ("error" in reply.answer) throw errorFromWire(reply.answer.error);
    const { result, isSame } = reply.answer;
    return { ...result, bytes: isSame ? inputs[0] : reply.bytes };
  };

  const imagesFor = (turn: PictureTurn): Images => {
    const run = (
      request: PictureRequest,
      pictures: readonly Uint8Array[],
      signal: AbortSignal | undefined,
    ) => runAs(turn, request, { pictures, signal });
    return { of: imagesFor, ...createJobMethods(run), load: pool.load, close: pool.close };
  };
  return imagesFor({ tenant: "", person: "" });
}

type RunImageJob = (
  request: PictureRequest,
  pictures: readonly Uint8Array[],
  signal: AbortSignal | undefined,
) => Promise<object>;

/** The worker's answer has the type that jobs.ts defines for the job. */
function createJobMethods(run: RunImageJob): Omit<Images, "of" | "load" | "close"> {
  return {
    async inspect(bytes, { signal, isProven = false } = {}) {
      const picture = (await run({ job: "inspect", isProven }, [bytes], signal)) as PictureInfo;
      const { format, width, height, frames } = picture;
      return { format, width, height, frames };
    },
    async prove(result, { signal } = {}) {
      await run({ job: "prove" }, [result], signal);
    },
    prepare: (bytes, { signal, maxBytes, maxPixels }) =>
      run({ job: "prepare", maxBytes, maxPixels }, [bytes], signal) as Promise<ServiceReadyPicture>,
    fit: (bytes, { signal, ...rest }) =>
      run({ job: "fit", options: rest }, [bytes], signal) as Promise<FittedPicture>,
    compose: (cutout, { signal, ...rest }) => {
      const { options, pictures } = separatePicture(rest);
      const inputs = [cutout, ...pictures];
      return run({ job: "compose", options }, inputs, signal) as Promise<ComposedCutout>;
    },
    square: (cutout, { signal, ...rest }) =>
      run({ job: "square", options: rest }, [cutout], signal) as Promise<SquarePicture>,
    thumbnail: (cutout, { signal, ...rest }) => {
      const { options, pictures } = separatePicture(rest);
      const inputs = [cutout, ...pictures];
      return run({ job: "thumbnail", options }, inputs, signal) as Promise<ThumbnailPicture>;
    },
    async sheet(pictures, { signal, ...rest }) {
      const drawn = await run({ job: "sheet", options: rest }, pictures, signal);
      return (drawn as { bytes: Buffer }).bytes;
    },
    async preview(picture, { signal, ...rest }) {
      const drawn = await run({ job: "preview", options: rest }, [picture], signal);
      return (drawn as { bytes: Buffer }).bytes;
    },
    async unwritable(title, { signal } = {}) {
      const found = await run({ job: "letters", title }, [], signal);
      return (found as { missing: readonly string[] }).missing;
    },
    async chart({ signal, ...rest }) {
      const drawn = await run({ job: "chart", options: rest }, [], signal);
      return (drawn as { bytes: Buffer }).bytes;
    },
  };
}

const noBytes = new Uint8Array();

/** A backdrop's picture is sent as bytes after the cut-out, not as JSON. */
function separatePicture<
  O extends Pick<ComposeOptions, "backdrop"> | Pick<ThumbnailOptions, "backdrop">,
>(options: O) {
  const { backdrop } = options;
  if (backdrop?.kind !== "picture") return { options, pictures: [] };
  const bare = { ...options, backdrop: { ...backdrop, bytes: noBytes } };
  return { options: bare, pictures: [backdrop.bytes] };
}

function workerFailure(request: PictureRequest, cause: ChildEnded): ServiceError {
  return new ServiceError(cause.message, {
    code: "picture_worker",
    // The cut-out has been paid for by then.
    outcome: request.job === "compose" ? "part" : "nothing",
    facts: { end: cause.end },
    cause,
  });
}
