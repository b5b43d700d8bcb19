import { availableParallelism } from "node:os";
import { ServiceError } from "../errors.ts";
import { fromWire, type Request } from "./jobs.ts";
import { asBuffer } from "./size.ts";
import type {
  Backdrop,
  Composed,
  Fitted,
  Images,
  Picture,
  PictureTurn,
  Prepared,
  Square,
  Thumbnail,
} from "./types.ts";
import { ChildEnded } from "./worker/child.ts";
import { estimateNeed } from "./worker/need.ts";
import { createPool } from "./worker/pool.ts";

/** Where a worker's death is noted. */
interface ImagesLog {
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

export interface CreateImagesOptions {
  /** Child processes at most; each does one job at a time. One fewer than the cores when absent, at least one. */
  readonly workers?: number;
  /** A child whose resident memory passes this is ended: 1.5 GiB when absent, because a WebP of 50 megapixels takes 1.2. */
  readonly maxWorkerBytes?: number;
  /**
   * A job that takes longer is ended with its child: 60 s when absent. Composing may take five times as long, because its
   * picture has been paid for, and one of 50 megapixels takes a busy machine more than a minute.
   */
  readonly jobMs?: number;
  /** What all running jobs together may need by estimate; the others wait in order: 1.5 GiB when absent. */
  readonly budgetBytes?: number;
  /** A child without work ends after this: 60 s when absent. */
  readonly idleMs?: number;
  readonly log?: ImagesLog;
}

const gibibyte = 1024 ** 3;

/** Starts nothing: the first job starts the first child. */
export function createImages(options: CreateImagesOptions = {}): Images {
  const { log, ...given } = options;
  const pool = createPool({
    workers: Math.max(1, availableParallelism() - 1),
    maxWorkerBytes: 1.5 * gibibyte,
    jobMs: 60_000,
    budgetBytes: 1.5 * gibibyte,
    idleMs: 60_000,
    ...given,
  });

  const runAs = async (
    turn: PictureTurn,
    request: Request,
    { given, signal }: { given: readonly Uint8Array[]; signal: AbortSignal | undefined },
  ) => {
    const inputs = given.map(asBuffer);
    const need = estimateNeed(request, inputs);
    const reply = await pool
      .run({ onQueued: undefined, ...turn, request, inputs, need, signal })
      .catch((error: unknown) => {
        if (!(error instanceof ChildEnded)) throw error;
        log?.warn("picture worker ended", {
          job: request.job,
          end: error.end,
          detail: error.detail,
        });
        throw workerFailure(request, error);
      });
    if ("error" in reply.answer) throw fromWire(reply.answer.error);
    const { result, isSame } = reply.answer;
    return { ...result, bytes: isSame ? inputs[0] : reply.bytes };
  };

  const imagesOf = (turn: PictureTurn): Images => {
    const run = (request: Request, given: readonly Uint8Array[], signal: AbortSignal | undefined) =>
      runAs(turn, request, { given, signal });
    return { of: imagesOf, ...jobsWith(run), load: pool.load, close: pool.close };
  };
  return imagesOf({ tenant: "", person: "" });
}

type Run = (
  request: Request,
  given: readonly Uint8Array[],
  signal: AbortSignal | undefined,
) => Promise<object>;

/** The worker's answer has the shape that jobs.ts gives it for the job asked. */
function jobsWith(run: Run): Omit<Images, "of" | "load" | "close"> {
  return {
    async inspect(bytes, { signal, isProven = false } = {}) {
      const picture = (await run({ job: "inspect", isProven }, [bytes], signal)) as Picture;
      const { format, width, height, frames } = picture;
      return { format, width, height, frames };
    },
    prepare: (bytes, { signal, maxBytes, maxPixels }) =>
      run({ job: "prepare", maxBytes, maxPixels }, [bytes], signal) as Promise<Prepared>,
    fit: (bytes, { signal, ...rest }) =>
      run({ job: "fit", options: rest }, [bytes], signal) as Promise<Fitted>,
    compose: (cutout, { signal, ...rest }) => {
      const { options, pictures } = apart(rest);
      const inputs = [cutout, ...pictures];
      return run({ job: "compose", options }, inputs, signal) as Promise<Composed>;
    },
    square: (cutout, { signal, ...rest }) =>
      run({ job: "square", options: rest }, [cutout], signal) as Promise<Square>,
    thumbnail: (cutout, { signal, ...rest }) => {
      const { options, pictures } = apart(rest);
      const inputs = [cutout, ...pictures];
      return run({ job: "thumbnail", options }, inputs, signal) as Promise<Thumbnail>;
    },
    async sheet(pictures, { signal, ...rest }) {
      const drawn = await run({ job: "sheet", options: rest }, pictures, signal);
      return (drawn as { bytes: Buffer }).bytes;
    },
    async chart({ signal, ...rest }) {
      const drawn = await run({ job: "chart", options: rest }, [], signal);
      return (drawn as { bytes: Buffer }).bytes;
    },
  };
}

const noBytes = new Uint8Array();

/** A backdrop's picture travels as bytes behind the cut-out, not as JSON. */
function apart<O extends { readonly backdrop?: Backdrop }>(options: O) {
  const { backdrop } = options;
  if (backdrop?.kind !== "picture") return { options, pictures: [] };
  const bare = { ...options, backdrop: { ...backdrop, bytes: noBytes } };
  return { options: bare, pictures: [backdrop.bytes] };
}

function workerFailure(request: Request, cause: ChildEnded): ServiceError {
  return new ServiceError(cause.message, {
    code: "picture_worker",
    // A ZIP has been paid for by then.
    outcome: request.job === "compose" ? "part" : "nothing",
    facts: { end: cause.end },
    cause,
  });
}
