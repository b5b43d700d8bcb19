import { describe, expect, it } from "vitest";
import { film, srt } from "../../commands/files.ts";
import { textOf } from "../../support/stage.ts";
import { expectText, useStage, type VideoAnswer } from "../../support/use-stage.ts";

const { stage, owner, hurried, videoAnswers } = useStage();

describe("captions that are added after an upload", () => {
  const failures: readonly (readonly [string, VideoAnswer, boolean])[] = [
    ["400 failedPrecondition", { status: 400, reason: "failedPrecondition" }, false],
    ["400 invalid", { status: 400, reason: "invalid" }, false],
    ["403 forbidden", { status: 403, reason: "forbidden" }, false],
    ["409 aborted", { status: 409, reason: "aborted" }, true],
    ["503", { status: 503 }, true],
  ];

  it.each(failures)("adds the other captions after %s of some", async (_, failure, mayPass) => {
    const question = await owner.run("videos upload", {
      video: film(50_000),
      title: "Half",
      captions: srt,
      captions_language: "de",
      more_captions: { ...srt, name: "more.srt" },
      more_language: "fr",
    });
    videoAnswers(/upload\/youtube\/v3\/captions|captions\?/u, {
      ...failure,
      times: mayPass ? 20 : 1,
    });

    const first = await hurried(() => owner.click(question, "Upload"));
    stage.sandbox.video.faults.clear();

    expectText(first, "Video uploaded", /German.*not/u);
    if (!mayPass) expectText(first, "Captions: French");
    expect(textOf(first).includes("Try the rest again")).toBe(mayPass);
  });
});
