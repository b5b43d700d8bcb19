import type { APIMessage } from "discord-api-types/v10";
import { beforeEach, describe, expect, it } from "vitest";
import type { InjectedFault } from "../../../src/sandbox/faults.ts";
import { fetchBytes, textOf } from "../../support/stage.ts";
import { type Options, useStage } from "../../support/use-stage.ts";

/** Days that the clock is ahead: every download costs 200 units again, so not all these tests fit into one day. */
let days = 0;
const { stage, owner, asChannel } = useStage({ now: () => Date.now() + days * 86_400_000 });
const { click } = owner;
beforeEach(() => stage.sandbox.video.quota.refill());

const run = (sub: string, options: Options) => owner.run(`captions ${sub}`, options);
const bytesOf = async (message: APIMessage) => fetchBytes(message.attachments[0]?.url ?? "");

interface Track {
  readonly id: string;
}

const tracksOf = async (videoId: string) =>
  (await asChannel<{ items: Track[] }>(`/captions?part=snippet&videoId=${videoId}`)).items;

const videoWith = async (count: number) => {
  const playlistId = `UU${stage.sandbox.video.ownChannelId.slice(2)}`;
  const { items } = await asChannel<{ items: { contentDetails: { videoId: string } }[] }>(
    `/playlistItems?part=contentDetails&maxResults=50&playlistId=${playlistId}`,
  );
  for (const { contentDetails } of items) {
    if ((await tracksOf(contentDetails.videoId)).length === count) return contentDetails.videoId;
  }
  throw new Error(`no video has ${count} captions`);
};

const refusal = (status: number, reason: string) => ({
  ...({ kind: "answer", status, headers: { "Content-Type": "application/json" } } as const),
  body: JSON.stringify({ error: { code: status, message: "No.", errors: [{ reason }] } }),
});

describe("a download of several files", () => {
  it("asks for no other format of captions that it may not read, and names each file", async () => {
    const { video: sandbox } = stage.sandbox;
    const video = await videoWith(2);
    const question = await run("download", { video, format: "all" });
    const { id } = (await tracksOf(video))[0] as Track;
    sandbox.faults.add({ ...refusal(403, "forbidden"), path: new RegExp(`captions/${id}`, "u") });
    const before = sandbox.quota.spent("units");

    const answer = await click(question, "Download");
    sandbox.faults.clear();

    expect(textOf(answer)).toMatch(/4 files, in one ZIP\.\n5 files are missing \(.+ · .+, .+\): /u);
    expect(textOf(answer)).toMatch(/\n1 file is missing \(.+\.scc\)\): /u);
    // One for the captions that can't be read, five for the others: a format that can't be made is charged too.
    expect(sandbox.quota.spent("units") - before).toBeLessThanOrEqual(1_200);
  });

  it("stops after three files in a row that fail alike, and offers the rest", async () => {
    const { faults } = stage.sandbox.video;
    const question = await run("download", { video: await videoWith(1), format: "all" });
    faults.add({ ...refusal(400, "somethingNew"), path: /captions\//u });

    const answer = await click(question, "Download");
    faults.clear();
    const rest = await click(answer, "Download the 2 missing files");

    expect(textOf(answer)).toContain("No captions downloaded");
    expect(textOf(answer)).toMatch(/5 files are missing \(/u);
    expect(rest.attachments).toHaveLength(1);
  });

  /** A failure of one file, and whether another try may succeed. */
  const failures: readonly (readonly [string, object, boolean])[] = [
    ["400 failedPrecondition", refusal(400, "failedPrecondition"), false],
    ["400 invalid", refusal(400, "invalid"), false],
    ["400 couldNotConvert", refusal(400, "couldNotConvert"), false],
    ["403 forbidden", refusal(403, "forbidden"), false],
    ["404 captionNotFound", refusal(404, "captionNotFound"), false],
    ["409 aborted", refusal(409, "aborted"), true],
    ["503", { kind: "answer", status: 503 }, true],
    ["a reset connection", { kind: "cut-before" }, true],
  ];

  it.each(failures)("goes on after %s of one file", async (name, failure, mayPass) => {
    if (name === "503") days += 1;
    const { faults } = stage.sandbox.video;
    const video = await videoWith(2);
    const question = await run("download", { video, format: "srt" });
    const { id } = (await tracksOf(video))[0] as Track;
    faults.add({ ...failure, path: new RegExp(`captions/${id}`, "u") } as InjectedFault);

    const answer = await click(question, "Download");
    faults.clear();

    expect(textOf(answer)).toMatch(/1 file\.\n1 file is missing \(English.*\): .+\./u);
    expect(answer.attachments).toHaveLength(1);
    expect(textOf(answer).includes("Download the missing file")).toBe(mayPass);
    if (!mayPass) return;
    const rest = await click(answer, "Download the missing file");
    expect(rest.id).not.toBe(answer.id);
    expect((await bytesOf(rest)).toString("utf8")).toContain("-->");
  });
});
