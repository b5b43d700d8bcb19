import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { createCache } from "../../cache.ts";
import { BackgroundError, type Complaint } from "./errors.ts";
import { type CutoutFile, makeCutout, type QueuedCutout } from "./picture/make-cutout.ts";
import { makeMask } from "./picture/make-mask.ts";
import { createMatting, ellipseMatting, loadNetwork, type Matting } from "./picture/matte.ts";
import { type RequestBytes, readPictureForm } from "./request/form.ts";
import {
  listBackdropComplaints,
  listSourceComplaints,
  type PictureIntake,
  readBackdropPicture,
  readInput,
} from "./request/input.ts";
import {
  type BackgroundResultSize,
  checkRegion,
  listJobComplaints,
  readJob,
} from "./request/job.ts";

/** What the worker is started with. */
export interface PictureWorkerSetup {
  readonly matting: "network" | "ellipse";
  readonly intake: PictureIntake;
  /** Gives the same order the file that was made before. */
  readonly remembers: boolean;
}

/** Answers that are kept when they are to be remembered. */
const keptAnswers = 64;

const { matting: kind, intake, remembers } = workerData as PictureWorkerSetup;
const orders = new Map<number, QueuedCutout>();
const remembered = createCache<Promise<CutoutFile>>({ maxSize: keptAnswers });
let matting: Promise<Matting> | undefined;
let last: Promise<unknown> = Promise.resolve();

/** What other threads call. An order is read first; once it is charged it is made, or else dropped. */
const handlers = {
  async read(id: number, body: RequestBytes) {
    const form = await readPictureForm(body);
    const faults = [
      ...listSourceComplaints(form),
      ...listBackdropComplaints(form),
      ...listJobComplaints(form),
    ];
    if (faults.length > 0) throw new BackgroundError(400, faults);
    const job = readJob(form);
    const input = await readInput(form, intake);
    checkRegion(job, input);
    orders.set(id, { input, job, backdrop: await readBackdropPicture(form, intake) });
    return { width: input.width, height: input.height, size: job.size, type: job.type };
  },
  /** One picture at a time: its pixels are what takes memory. */
  make(
    id: number,
    how: { readonly size: BackgroundResultSize; readonly answer: "file" | "json" },
  ): Promise<CutoutFile> {
    const turn = last.then(() => make(id, how));
    last = turn.catch(() => {});
    return turn;
  },
  async drop(id: number) {
    orders.delete(id);
  },
  /** Waits for its turn as the others do. */
  rembg(_: number, body: RequestBytes) {
    const turn = last.then(async () => {
      const made = await makeMask(await readPictureForm(body), openMatting);
      return "bytes" in made ? { bytes: new Uint8Array(made.bytes) } : made;
    });
    last = turn.catch(() => {});
    return turn;
  },
  async improve(_: number, body: RequestBytes) {
    const form = await readPictureForm(body);
    const faults = listSourceComplaints(form);
    if (faults.length > 0) throw new BackgroundError(400, faults);
    const { bytes } = await readInput(form, intake);
    const { texts, names } = form;
    const tag = texts.get("tag");
    // The given name, else the file's own name, else the last part of its address.
    const lastPart = URL.parse(texts.get("image_url") ?? "")
      ?.pathname.split("/")
      .at(-1);
    const filename =
      texts.get("image_filename") ?? names.get("image_file") ?? (lastPart || "image");
    const facts = { filename, bytes: bytes.length, sha256: digest(bytes) };
    return { ...facts, ...(tag !== undefined && { tag }) };
  },
};

export type PictureHandlers = typeof handlers;

export interface PictureWorkerTask {
  readonly id: number;
  readonly name: keyof PictureHandlers;
  readonly input: unknown;
}

/** Errors lose their class between threads, so a BackgroundError travels as its complaints. */
export type PictureWorkerReply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly refused: readonly Complaint[] }
  | { readonly failure: string }
);

parentPort?.on("message", async ({ id, name, input }: PictureWorkerTask) => {
  const reply = (rest: object, handedOver: ArrayBuffer[] = []) =>
    parentPort?.postMessage({ id, ...rest }, handedOver);
  try {
    const result = await handlers[name](id, input as never);
    const isFile = name === "make";
    reply({ result }, isFile ? [(result as CutoutFile).bytes.buffer as ArrayBuffer] : []);
  } catch (cause) {
    if (cause instanceof BackgroundError) reply({ refused: cause.complaints });
    else reply({ failure: String(cause) });
  }
});

async function make(
  id: number,
  { size, answer }: Parameters<PictureHandlers["make"]>[1],
): Promise<CutoutFile> {
  const order = orders.get(id);
  orders.delete(id);
  if (order === undefined) throw new Error("there is no such order");
  const made = await makeOnce({ ...order, job: { ...order.job, size } });
  const bytes = answer === "json" ? toJson(made) : made.bytes;
  // An encoder's memory can't be handed over to another thread; a copy can.
  return { ...made, bytes: new Uint8Array(bytes) };
}

function openMatting(): Promise<Matting> {
  matting ??=
    kind === "ellipse" ? Promise.resolve(ellipseMatting) : loadNetwork().then(createMatting);
  return matting;
}

async function makeOnce(order: QueuedCutout): Promise<CutoutFile> {
  const open = await openMatting();
  if (!remembers) return makeCutout(order, open);
  const { input, job, backdrop } = order;
  const behind = backdrop === undefined ? "" : digest(backdrop);
  const key = `${digest(input.bytes)} ${behind} ${JSON.stringify(job)}`;
  const making = remembered.get(key) ?? makeCutout(order, open);
  remembered.set(key, making);
  making.catch(() => remembered.delete(key));
  return making;
}

/** Base64 of a large file takes noticeable time, so it is done in this thread too. */
function toJson({ bytes, box }: CutoutFile): Uint8Array {
  const data = {
    result_b64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    foreground_top: box.top,
    foreground_left: box.left,
    foreground_width: box.width,
    foreground_height: box.height,
  };
  return Buffer.from(JSON.stringify({ data }));
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
