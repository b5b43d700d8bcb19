import { beforeEach, describe, expect, it } from "vitest";
import type { SandboxFile } from "../../../src/sandbox/types.ts";
import { fetchBytes, textOf } from "../../support/stage.ts";
import { expectText, useStage } from "../../support/use-stage.ts";

const { stage, owner } = useStage();
beforeEach(() => stage.sandbox.video.quota.refill());

const newestVideo = async () => String((await owner.offered("videos show", "video", ""))[0]?.value);

const file = (data: string | Uint8Array, name = "captions.srt"): SandboxFile => ({
  name,
  type: "text/plain",
  data: typeof data === "string" ? Buffer.from(data) : data,
});

describe("/captions upload", () => {
  it("converts what is not in UTF-8, says so before, and sends what the player shows", async () => {
    const video = await newestVideo();
    const shiftJis = Buffer.concat([
      Buffer.from("1\n00:00:01,000 --> 00:00:02,500\n"),
      Buffer.from("82b182f182c982bf82cd", "hex"),
    ]);

    const options = { video, language: "ja", file: file(shiftJis) };
    const question = await owner.run("captions upload", options);
    const done = await owner.click(question, "Add");

    expectText(question, "Text encoding", "Shift_JIS; will be sent as UTF-8", "こんにちは");
    expect(textOf(done)).toContain("Shown");
    const download = await owner.run("captions download", { video, captions: "ja" });
    const sent = await fetchBytes(
      (await owner.click(download, "Download")).attachments[0]?.url ?? "",
    );
    expect(sent.toString()).toContain("こんにちは");
  });

  it("says that it is not sure of an encoding, and what to do", async () => {
    const video = await newestVideo();
    const dos = Buffer.concat([
      Buffer.from("1\n00:00:01,000 --> 00:00:02,500\n"),
      Buffer.from("536368946e65204772", "hex"),
    ]);

    const question = await owner.run("captions upload", { video, language: "de", file: file(dos) });

    expectText(question, "Perhaps ", "Is this line right?", "save the file as UTF-8");
  });

  it.each([
    ["SAMI (.smi)", "<SAMI><SYNC Start=1000><P>Hi</SAMI>"],
    ["LRC (.lrc)", "[00:12.00]First line\n"],
    ["EBU STL (.stl)", `850STL25.01${" ".repeat(1013)}`],
  ])("sends %s as it is", async (kind, text) => {
    const video = await newestVideo();
    const options = { video, language: "en", name: kind, file: file(text, "talk.bin") };
    const question = await owner.run("captions upload", options);
    const done = await owner.click(question, "Add");

    expect(textOf(question)).toContain(`talk.bin · ${kind}`);
    expect(textOf(done)).toContain("Shown");
  });

  it.each([
    ["ASS", "[Script Info]\nScriptType: v4.00+\n", "Advanced SubStation Alpha"],
    ["srv3", '<timedtext format="3"><body><p t="1" d="2">Hi</p></body></timedtext>', "srv3"],
    ["a copied transcript", "0:00\nhello\n0:05\nwelcome\n", "has times, but"],
  ])("refuses %s before any unit is spent, and says what it is", async (_, text, said) => {
    const video = await newestVideo();
    stage.sandbox.video.quota.refill();

    const refused = await owner.run("captions upload", { video, language: "de", file: file(text) });

    expect(textOf(refused)).toContain(said);
    expect(stage.sandbox.video.quota.spent("units")).toBe(0);
  });
});

describe("/captions update", () => {
  it("reads the new file in the language of the captions, and says how", async () => {
    const video = await newestVideo();
    const srt = file("1\n00:00:01,000 --> 00:00:02,500\nHi\n");
    const added = await owner.run("captions upload", { video, language: "zh-CN", file: srt });
    await owner.click(added, "Add");
    const [choice] = await owner.offered("captions update", "captions", "Chinese", { video });
    const gbk = Buffer.concat([
      Buffer.from("1\n00:00:01,000 --> 00:00:02,500\n"),
      Buffer.from("c4e3bac3", "hex"),
    ]);

    const options = { video, captions: String(choice?.value), file: file(gbk) };
    const question = await owner.run("captions update", options);
    const done = await owner.click(question, "Change");

    expectText(question, "GB18030; will be sent as UTF-8", "你好");
    expect(textOf(done)).toContain("Captions changed");
  });
});
