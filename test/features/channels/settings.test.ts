import { describe, expect, it } from "vitest";
import { textOf } from "../../support/stage.ts";
import { expectText, useStage } from "../../support/use-stage.ts";

const { owner } = useStage();
const { run } = owner;

describe("a channel's settings", () => {
  it("show settings that only `extra` can set", async () => {
    const message = await run("channels edit", {
      language: "en",
      extra:
        'invideoPromotion={"useSmartTiming": true}; localizations.fr.title=Studio vert; localizations.fr.description=Bonjour; brandingSettings.channel.trackingAnalyticsAccountId=UA-1',
    });

    const text = textOf(message);
    expect(text).toContain('Promotion in videos\nnot set → {"useSmartTiming":true}');
    expectText(text, "French\nnot set → Studio vert", "Analytics account\nnot set → UA-1");
  });
});
