/**
 * A resumable upload as YouTube's guide describes it, with failures at planned bytes; independent of the sandbox's
 * YouTube.
 */
import { createHash, type Hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveParent } from "./service.ts";
import type { Mishap, UploadPlan, UploadReport } from "./upload-plan.ts";

const block = 256 * 1024;

interface Ledger {
  mishaps: Mishap[];
  losesStart: boolean;
  losesQuestion: boolean;
  report: { -readonly [K in keyof UploadReport]: UploadReport[K] };
}

interface Session {
  readonly ledger: Ledger;
  readonly total: number;
  readonly hash: Hash;
  stored: number;
  isDone: boolean;
}

const ledgers = new Map<string, Ledger>();
const sessions = new Map<string, Session>();

function ledgerOf(title: string): Ledger {
  const known = ledgers.get(title);
  if (known) return known;
  const report = { title, videos: 0, hash: "", sessions: 0, offered: 0, largestChunk: 0 };
  const ledger: Ledger = {
    mishaps: [],
    losesStart: false,
    losesQuestion: false,
    report: { ...report, mishaps: 0, wrong: 0 },
  };
  ledgers.set(title, ledger);
  return ledger;
}

const server = createServer((request, response) => {
  // A cut connection fails on both sides; the session keeps what it has.
  request.on("error", () => undefined);
  response.on("error", () => undefined);
  const url = new URL(request.url ?? "/", "http://service");
  const session = sessions.get(url.searchParams.get("upload_id") ?? "");
  if (session === undefined) return void begin(request, response);
  const range = String(request.headers["content-range"]);
  const asked = /^bytes \*\/(\d+)$/.exec(range);
  if (asked) return answerQuestion(session, request, response);
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? [];
  store(session, { from: Number(from), end: Number(to) + 1, total: Number(total) }, [
    request,
    response,
  ]);
});

async function begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { snippet } = JSON.parse(`${Buffer.concat(chunks)}`) as { snippet: { title: string } };
  const ledger = ledgerOf(snippet.title);
  ledger.report.sessions += 1;
  const id = `session-${sessions.size}`;
  const total = Number(request.headers["x-upload-content-length"]);
  sessions.set(id, { ledger, total, hash: createHash("sha256"), stored: 0, isDone: false });
  if (ledger.losesStart) {
    ledger.losesStart = false;
    ledger.report.mishaps += 1;
    return void response.socket?.destroy();
  }
  const location = `http://${request.headers.host}${request.url}&upload_id=${id}`;
  response.writeHead(200, { location }).end();
}

function answerQuestion(session: Session, request: IncomingMessage, response: ServerResponse) {
  request.resume();
  if (session.ledger.losesQuestion) {
    session.ledger.losesQuestion = false;
    return void response.socket?.destroy();
  }
  answer(session, response);
}

/** The state of a session: what is stored, or the video once the file is whole. */
function answer({ isDone, stored, ledger }: Session, response: ServerResponse): void {
  if (!isDone) {
    return void response
      .writeHead(308, stored === 0 ? {} : { range: `bytes=0-${stored - 1}` })
      .end();
  }
  const video = {
    kind: "youtube#video",
    id: "12345678901",
    snippet: { title: ledger.report.title },
  };
  response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(video));
}

interface Range {
  readonly from: number;
  readonly end: number;
  readonly total: number;
}

type Pair = readonly [IncomingMessage, ServerResponse];

function store(session: Session, range: Range, [request, response]: Pair): void {
  const { ledger, total } = session;
  const { report } = ledger;
  const bytes = range.end - range.from;
  report.offered += bytes;
  report.largestChunk = Math.max(report.largestChunk, bytes);
  const isWhole = bytes % block === 0 || range.end === total;
  const isRight = range.from === session.stored && range.total === total && isWhole;
  if (!isRight || Number(request.headers["content-length"]) !== bytes) {
    report.wrong += 1;
    return void request.resume().on("end", () => answer(session, response));
  }
  const mishap = ledger.mishaps.find(({ at }) => at >= range.from && at < range.end);
  if (mishap) {
    report.mishaps += 1;
    ledger.mishaps = ledger.mishaps.filter((other) => other !== mishap);
    ledger.losesQuestion = mishap.losesQuestion ?? false;
  }
  receive(session, { range, mishap, keptEnd: keptEnd(range, mishap) }, [request, response]);
}

/** The end of what is stored of a request. */
function keptEnd({ from, end }: Range, mishap: Mishap | undefined): number {
  if (mishap === undefined || mishap.kind === "lost") return end;
  if (mishap.kind === "busy" || mishap.keeps === "nothing") return from;
  return mishap.keeps === "blocks"
    ? from + Math.floor((mishap.at - from) / block) * block
    : mishap.at;
}

interface Receiving {
  readonly range: Range;
  readonly mishap: Mishap | undefined;
  readonly keptEnd: number;
}

function receive(session: Session, { range, mishap, keptEnd }: Receiving, pair: Pair): void {
  const [request, response] = pair;
  let at = range.from;
  request.on("data", (chunk: Buffer) => {
    const kept = chunk.subarray(0, Math.max(0, keptEnd - at));
    session.hash.update(kept);
    session.stored += kept.length;
    at += chunk.length;
    if (mishap?.kind === "cut" && at >= mishap.at) request.destroy();
  });
  request.on("end", () => {
    if (session.stored === session.total && !session.isDone) finish(session);
    if (mishap?.kind === "busy") return void response.writeHead(503).end("busy");
    if (mishap) return void response.socket?.destroy();
    answer(session, response);
  });
}

function finish(session: Session): void {
  session.isDone = true;
  session.ledger.report.videos += 1;
  session.ledger.report.hash = session.hash.digest("hex");
}

server.requestTimeout = 0;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveParent(`http://127.0.0.1:${port}`, (question) => {
    if (typeof question === "string") return ledgers.get(question)?.report;
    const plan = question as UploadPlan;
    const ledger = ledgerOf(plan.title);
    ledger.mishaps = [...plan.mishaps];
    ledger.losesStart = plan.losesStart ?? false;
    return undefined;
  });
});
