import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { createCache } from "../../cache.ts";
import { ellipseMatting } from "./picture/ellipse.ts";
import { type CutoutFile, makeCutout, type QueuedCutout } from "./picture/make-cutout.ts";
import { createMatting, type Matting } from "./picture/matte.ts";
import type {
  CutoutEstimate,
  ImprovementFile,
  PictureWorkerReply,
  PictureWorkerSetup,
  PictureWorkerTask,
} from "./picture-worker.ts";
import { BackgroundRefusal } from "./refusals.ts";
import { type PictureForm, type RequestBytes, readPictureForm } from "./request/form.ts";
import { backdropFaults, readBackdropPicture, readInput, sourceFaults } from "./request/input.ts";
import { checkRegion, jobFaults, readJob } from "./request/job.ts";

/** Answers that are kept when they are to be remembered. */
const keptAnswers = 64;

const { matting: kind, intake, remembers } = workerData as PictureWorkerSetup;
const orders = new Map<number, QueuedCutout>();
const remembered = createCache<Promise<CutoutFile>>({ maxSize: keptAnswers });
let matting: Promise<Matting> | undefined;
let last: Promise<unknown> = Promise.resolve();

parentPort?.on("message", async (task: PictureWorkerTask) => {
  const reply = await work(task).catch(explain);
  if (reply === undefined) return;
  const handedOver = "made" in reply ? [reply.made.bytes.buffer as ArrayBuffer] : [];
  parentPort?.postMessage({ id: task.id, ...reply }, handedOver);
});

async function work(task: PictureWorkerTask): Promise<PictureWorkerReply | undefined> {
  switch (task.kind) {
    case "read":
      return { estimate: await read(task.id, task.body) };
    case "make":
      return { made: await inTurn(() => make(task)) };
    case "improve":
      return { improvement: await improve(task.body) };
    case "drop":
      orders.delete(task.id);
      return undefined;
  }
}

async function read(id: number, body: RequestBytes): Promise<CutoutEstimate> {
  const form = await readPictureForm(body);
  const faults = [...sourceFaults(form), ...backdropFaults(form), ...jobFaults(form)];
  if (faults.length > 0) throw new BackgroundRefusal(400, faults);
  const job = readJob(form);
  const input = await readInput(form, intake);
  checkRegion(job, input);
  orders.set(id, { input, job, backdrop: await readBackdropPicture(form, intake) });
  return { width: input.width, height: input.height, size: job.size, type: job.type };
}

/** One picture at a time: its pixels are what takes memory. */
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const turn = last.then(act);
  last = turn.catch(() => {});
  return turn;
}

async function make({
  id,
  size,
  answer,
}: Extract<PictureWorkerTask, { kind: "make" }>): Promise<CutoutFile> {
  const order = orders.get(id);
  orders.delete(id);
  if (order === undefined) throw new Error("there is no such order");
  const made = await makeOnce({ ...order, job: { ...order.job, size } });
  const bytes = answer === "json" ? toJson(made) : made.bytes;
  // An encoder's memory can't be handed over to another thread; a copy can.
  return { ...made, bytes: new Uint8Array(bytes) };
}

async function makeOnce(order: QueuedCutout): Promise<CutoutFile> {
  matting ??= openMatting();
  const open = await matting;
  if (!remembers) return makeCutout(order, open);
  const known = keyOf(order);
  const making = remembered.get(known) ?? makeCutout(order, open);
  remembered.set(known, making);
  making.catch(() => remembered.delete(known));
  return making;
}

async function openMatting(): Promise<Matting> {
  if (kind === "ellipse") return ellipseMatting;
  const { loadNetwork } = await import("./picture/network.ts");
  return createMatting(await loadNetwork());
}

function keyOf({ input, job, backdrop }: QueuedCutout): string {
  const behind = backdrop === undefined ? "" : digest(backdrop);
  return `${digest(input.bytes)} ${behind} ${JSON.stringify(job)}`;
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

async function improve(body: RequestBytes): Promise<ImprovementFile> {
  const form = await readPictureForm(body);
  const faults = sourceFaults(form);
  if (faults.length > 0) throw new BackgroundRefusal(400, faults);
  const { bytes } = await readInput(form, intake);
  const tag = form.texts.get("tag");
  const facts = { filename: nameOf(form), bytes: bytes.length, sha256: digest(bytes) };
  return { ...facts, ...(tag !== undefined && { tag }) };
}

/** The given name, else the file's own name, else the last part of its address. */
function nameOf({ texts, names }: PictureForm): string {
  const address = texts.get("image_url");
  const last = address === undefined ? undefined : new URL(address).pathname.split("/").at(-1);
  return texts.get("image_filename") ?? names.get("image_file") ?? (last || "image");
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Errors lose their class between threads, so a refusal travels as its complaints. */
function explain(cause: unknown): PictureWorkerReply {
  return cause instanceof BackgroundRefusal
    ? { refused: cause.complaints }
    : { failure: String(cause) };
}
